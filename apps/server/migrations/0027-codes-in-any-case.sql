-- No link may be another partner's code in other letter case.
CREATE INDEX partner_codes_in_any_case ON partner_codes (lower(code));
