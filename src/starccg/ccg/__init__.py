"""The language: categories, combinators, normal form, and the grammar they make together."""
