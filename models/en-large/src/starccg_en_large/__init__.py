"""The model folder ``en-large`` for starccg, which finds it by its entry point."""
