-- What shows that a customer may be the partner, and what a merchant can judge a sale by.

-- Mailboxes that payment processors state for the payers of a record, as keyed hashes like `customers.mailbox_hash`.
CREATE TABLE payer_mailboxes (
  program_id integer NOT NULL,
  click_id text NOT NULL COLLATE "C",
  mailbox_hash bytea NOT NULL,
  PRIMARY KEY (program_id, click_id, mailbox_hash),
  FOREIGN KEY (program_id, click_id) REFERENCES customers (program_id, click_id) ON DELETE CASCADE
);

-- The same, of a customer whom the processor named before any of their payments was credited.
ALTER TABLE processor_customers ADD COLUMN mailbox_hash bytea;

-- The networks that partners used on a day, as the keyed hashes that clicks have. The key changes daily.
CREATE TABLE partner_visits (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  visitor_hash bytea NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id, visitor_hash),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- How the customer matches the partner, if that is a reason for the review.
ALTER TABLE commission_reviews ADD COLUMN matches text[] NOT NULL DEFAULT '{}';

-- Bits: an address in a data center, and advertising parameters. Null for most clicks, which then need no space for it.
ALTER TABLE click_events ADD COLUMN evidence smallint;

-- Of the credited click; null while the sale is not credited.
ALTER TABLE sales
  ADD COLUMN seconds_since_click integer CHECK (seconds_since_click >= 0),
  ADD COLUMN click_evidence smallint;

ALTER TABLE programs
  ADD COLUMN review_ad_clicks boolean NOT NULL DEFAULT false,
  ADD COLUMN review_within_seconds integer CHECK (review_within_seconds > 0);

-- Partners with the same payout destination. Shorter ones are words such as "cash".
CREATE INDEX partner_payout_details_of_account ON partner_payout_details (program_id, lower(replace(account, ' ', '')))
  WHERE length(account) >= 8;

-- A report's content never changes, except that an erasure removes who paid.
CREATE FUNCTION forget_payer_mailbox(of_program integer, of_payment bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE payment_reports SET report = report - 'payer' WHERE program_id = of_program AND payment_id = of_payment AND report ? 'payer'
$$;
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION forget_payer_mailbox SET search_path = %1$I, pg_temp', current_schema());
END $$;
REVOKE EXECUTE ON FUNCTION forget_payer_mailbox FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_payer_mailbox TO tributary_app;
