"""Par sheets, other readings and certificates, as records and as documents."""
