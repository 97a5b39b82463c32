// A growing array of plain values that keeps its memory when it is cleared, so that a search allocates nothing once its
// thread has seen sentences of this size.
#pragma once
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace starccg {

template <class T>
class Arena {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Arena() = default;
    Arena(Arena&& other) noexcept { *this = std::move(other); }
    Arena& operator=(Arena&& other) noexcept {
        std::swap(data_, other.data_), std::swap(size_, other.size_), std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~Arena() { ::operator delete(data_); }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T& front() { return data_[0]; }
    T& back() { return data_[size_ - 1]; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

    void clear() { size_ = 0; }
    void pop_back() { --size_; }
    [[gnu::always_inline]] void push_back(const T& value) {
        if (size_ == capacity_) [[unlikely]] {
            const T kept = value;  // it may be in the memory that grow() releases
            grow(size_ + 1);
            data_[size_++] = kept;
            return;
        }
        data_[size_++] = value;
    }
    // New values are not initialised.
    void resize(std::size_t size) {
        if (size > capacity_) grow(size);
        size_ = size;
    }
    void assign(std::size_t size, const T& value) {
        resize(size);
        for (std::size_t i = 0; i < size; ++i) data_[i] = value;
    }

private:
    [[gnu::noinline]] void grow(std::size_t least) {
        std::size_t capacity = capacity_ < 64 ? 64 : 2 * capacity_;
        if (capacity < least) capacity = least;
        T* data = static_cast<T*>(::operator new(capacity * sizeof(T)));
        if (size_) std::memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
        ::operator delete(data_);
        data_ = data;
        capacity_ = capacity;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace starccg
