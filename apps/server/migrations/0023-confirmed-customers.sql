-- A browser's word is enough for a lead, not for the money of somebody's sales (docs/decisions/0023). A lead settled by the
-- browser is unverified until a server lead or a processor payment names the same customer and click.
ALTER TABLE leads
  ADD COLUMN confirmed_at timestamptz,
  ADD COLUMN confirmed_by text CHECK (confirmed_by IN ('server', 'processor')),
  -- Of an erased customer with the same key: whether the lead was paid for, and when the first sale was made that was.
  ADD COLUMN rewarded_before boolean NOT NULL DEFAULT false,
  ADD COLUMN first_sold_before timestamptz,
  ADD CHECK (num_nulls(confirmed_at, confirmed_by) IN (0, 2)),
  ADD CHECK (confirmed_at IS NULL OR settled_by IS NOT DISTINCT FROM 'browser');

-- What an erased customer has earned already, by a keyed hash of their key: the same customer, reported again, must not earn it
-- twice. No other row refers to it, so it does not say whose the remaining rows were.
CREATE TABLE erased_customers (
  program_id integer NOT NULL,
  key_hash bytea NOT NULL,
  lead_rewarded boolean NOT NULL,
  first_sold_at timestamptz,
  PRIMARY KEY (program_id, key_hash)
);

-- Calls that were sent with an Idempotency-Key, written in the transaction of their effect. Key and request are kept as keyed
-- hashes, because both can name a person.
CREATE TABLE idempotency_keys (
  program_id integer NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  answer jsonb,                                 -- null only while its transaction runs
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
