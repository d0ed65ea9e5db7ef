"""How each rule book is worked out: one method per rule book, found by `method_of(variant)`."""
