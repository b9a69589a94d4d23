-- No link may be another partner's code in other letter case.
CREATE INDEX partner_codes_in_any_case ON partner_codes (lower(code));

-- A keyed hash like `email_hash`, of the mailbox that the address reaches, without tags and insignificant dots. Null for customers
-- from before; their `email_hash` is compared instead.
ALTER TABLE customers ADD COLUMN mailbox_hash bytea;

-- The account's address, a copy because accounts may be in another database. It never changes.
ALTER TABLE partner_users ADD COLUMN email text;
UPDATE partner_users SET email = users.email FROM users WHERE users.id = partner_users.user_id;
