-- Two-factor sign-in. better-auth reads and writes two_factors, except last_used_step (accounts/second-factor.ts).

ALTER TABLE users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  -- Encrypted with the instance's secret.
  secret text NOT NULL,
  -- Keyed hashes of the unused recovery codes, as a JSON array.
  backup_codes text NOT NULL,
  -- False until the first code is confirmed; until then sign-in does not ask for one.
  verified boolean NOT NULL DEFAULT false,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  -- The newest 30-second step whose code was accepted. Codes of this step and earlier ones are rejected.
  last_used_step integer NOT NULL DEFAULT 0
);

-- When the session's user proved their second factor; null if they only used a password, link or identity provider.
ALTER TABLE sessions ADD COLUMN second_factor_at timestamptz;

-- Payouts and payout details need a session with a second factor.
ALTER TABLE workspaces ADD COLUMN require_two_factor boolean NOT NULL DEFAULT false;
