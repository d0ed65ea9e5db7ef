"""Simulated samples: scoring, strategies, agreement with exact prices, shoes and bankrolls."""
