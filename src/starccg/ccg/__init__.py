"""Categories, combinators, normal form, grammars and derivations."""
