"""What every HTTP request and response has in common: callers, headers, errors, rate limits, the OpenAPI document."""
