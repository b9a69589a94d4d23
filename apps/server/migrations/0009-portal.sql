-- What the dashboard shows beside the counts, and the partners' own side of it.

-- A chart asks for days, and the key of the counts begins with the link. No column that a click changes is in here, so that
-- counting a click still touches no index.
CREATE INDEX daily_counts_by_day ON daily_counts (program_id, day);

-- Clicks, leads and sales by what is known of the visitor, rolled up outside the click path (events/roll-up/roll-up.ts).
-- `value` is '' where it is not known, and '(other)' for what is too rare to be kept apart.
CREATE TABLE daily_breakdowns (
  program_id integer NOT NULL,
  dimension text NOT NULL CHECK (dimension IN ('country', 'device', 'browser', 'os', 'referrer', 'landing')),
  day date NOT NULL,
  value text NOT NULL COLLATE "C",
  clicks bigint NOT NULL DEFAULT 0,
  leads bigint NOT NULL DEFAULT 0,
  sales bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (program_id, dimension, day, value)
);

-- Credited revenue and the commissions it earned, by the same and by link (`value` is its number). Commissions of leads too.
CREATE TABLE daily_money (
  program_id integer NOT NULL,
  dimension text NOT NULL CHECK (dimension IN ('link', 'country', 'device', 'browser', 'os', 'referrer', 'landing')),
  day date NOT NULL,
  value text NOT NULL COLLATE "C",
  currency text NOT NULL,
  revenue_cents bigint NOT NULL DEFAULT 0,
  commission_cents bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (program_id, dimension, day, value, currency)
);

-- Up to when a program's events are in the two tables above. Locked by whoever rolls up; what came later is added on reading.
CREATE TABLE roll_ups (
  program_id integer PRIMARY KEY,
  counted_until timestamptz NOT NULL,
  checked_day date NOT NULL                     -- days up to here were held against daily_counts
);

-- What happened since then is found by the time at which it began to count, which for a sale can be long after it was made.
CREATE INDEX leads_by_settlement ON leads (program_id, settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX sales_by_credit ON sales (program_id, credited_at) WHERE credited_at IS NOT NULL;

-- Lists of the dashboard.
CREATE INDEX customers_known ON customers (program_id, click_id) WHERE customer_key IS NOT NULL;
CREATE INDEX sales_of_partner ON sales (program_id, partner_id, sold_at) WHERE partner_id IS NOT NULL;
CREATE INDEX leads_of_partner ON leads (program_id, partner_id, created_at);

-- Whether partners may make links themselves, and whether somebody may apply to become one.
ALTER TABLE programs
  ADD COLUMN partners_create_links boolean NOT NULL DEFAULT false,
  ADD COLUMN applications_open boolean NOT NULL DEFAULT false,
  ADD COLUMN application_text text;

-- Who of those with an account is which partner. A person may be a partner of several programs.
CREATE TABLE partner_users (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id, user_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
CREATE INDEX partner_users_of_user ON partner_users (user_id);

-- A link by which a partner gets their account. Its secret is kept as a hash only.
CREATE TABLE partner_invitations (
  program_id integer NOT NULL,
  secret_hash bytea NOT NULL,
  partner_id integer NOT NULL,
  email text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  PRIMARY KEY (program_id, secret_hash),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- Where a partner wants their money. Said by the partner, read by who pays.
CREATE TABLE partner_payout_details (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  method text NOT NULL CHECK (method IN ('paypal', 'wise', 'bank', 'other')),
  account text NOT NULL,
  holder text NOT NULL,
  note text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
