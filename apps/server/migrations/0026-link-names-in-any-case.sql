-- A code does not work as `aff` if another partner has a link with it in other letter case.
CREATE INDEX link_names_in_any_case ON link_names (lower(aff));
