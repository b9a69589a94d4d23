-- Addresses of accounts can change, so there is no copy.
ALTER TABLE partner_users DROP COLUMN email;
