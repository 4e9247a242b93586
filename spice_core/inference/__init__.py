"""What one scene graph says of another by meaning: entailed, contradicted or not mentioned, by named rules (docs/meaning.md)."""
