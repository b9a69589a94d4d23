-- migration 0001-instance
-- The role that serves requests, and what the instance knows about itself.

-- The service works as this role. It owns no table: it may read and write rows, except where a table below takes a right away.
-- Where the owner may not create roles, an administrator creates this one and grants it to the owner before the first start.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tributary_app') THEN
    CREATE ROLE tributary_app NOLOGIN;
  END IF;
-- Roles are shared by all databases of a server, and another one may be migrating right now.
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
  GRANT tributary_app TO CURRENT_USER;
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'tributary_app', 'MEMBER') THEN RAISE; END IF;
END $$;
DO $$ BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %1$I TO tributary_app;
    ALTER DEFAULT PRIVILEGES IN SCHEMA %1$I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO tributary_app;
    ALTER DEFAULT PRIVILEGES IN SCHEMA %1$I GRANT USAGE ON SEQUENCES TO tributary_app', current_schema());
END $$;

-- The migrator created these before it ran this file. The service only reads which migrations ran.
GRANT SELECT ON kysely_migration, kysely_migration_lock TO tributary_app;

-- Identifies the secrets that this database was created with, without revealing them. At most one row, written by the owner.
CREATE TABLE instance_secrets (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  derived bytea NOT NULL
);
REVOKE INSERT, UPDATE, DELETE ON instance_secrets FROM tributary_app;

-- Written by /readyz: committing is the only way to find out whether the database can commit.
CREATE TABLE readiness (
  id boolean PRIMARY KEY CHECK (id),
  checked_at timestamptz NOT NULL
);

-- migration 0002-accounts
-- Users and the workspaces they share. better-auth reads and writes these tables (accounts/auth.ts), with its field names in
-- snake_case and its model names in the plural and in our terms.

CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  -- The first user of an instance signs up without an invitation. The index below, not a count, decides who that is.
  is_first boolean NOT NULL DEFAULT false,
  -- The demo's user, who does not count as the first.
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_one_first ON users (is_first) WHERE is_first;

CREATE TABLE sessions (
  id text PRIMARY KEY,
  token text NOT NULL UNIQUE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  active_organization_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_of_user ON sessions (user_id);

CREATE TABLE credentials (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX credentials_of_user ON credentials (user_id);

CREATE TABLE verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_by_identifier ON verifications (identifier);

CREATE TABLE workspaces (
  id text PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL UNIQUE,
  logo text,
  metadata text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE members (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'billing')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, user_id)
);
CREATE INDEX members_of_user ON members (user_id);

CREATE TABLE invitations (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer', 'billing')),
  status text NOT NULL DEFAULT 'pending',
  inviter_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX invitations_of_workspace ON invitations (organization_id);

-- migration 0003-programs
-- Programs, their keys, partners and links: small tables that every call reads. They hold no counters.

CREATE TABLE programs (
  id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  -- Origins that links may lead to; empty means any. The first is the default destination.
  websites text[] NOT NULL DEFAULT '{}' CHECK (cardinality(websites) <= 20),
  cookie_window_days integer NOT NULL DEFAULT 60 CHECK (cookie_window_days BETWEEN 1 AND 365),
  lead_auth text NOT NULL DEFAULT 'server_required' CHECK (lead_auth IN ('server_required', 'browser_allowed')),
  payment_tracking_mode text NOT NULL DEFAULT 'processor_connect' CHECK (payment_tracking_mode IN ('processor_connect', 's2s')),
  attribution_model text NOT NULL DEFAULT 'last_click' CHECK (attribution_model IN ('last_click', 'first_click')),
  -- Earlier values of the window and the model, each with the moment until which it applied, oldest first.
  former_settings jsonb NOT NULL DEFAULT '[]',
  currency text NOT NULL DEFAULT 'USD' CHECK (currency ~ '^[A-Z]{3}$'),
  timezone text NOT NULL DEFAULT 'UTC',         -- determines every `day` of the program
  partners_create_links boolean NOT NULL DEFAULT false,
  applications_open boolean NOT NULL DEFAULT false,
  application_text text,
  created_at timestamptz NOT NULL
);
CREATE INDEX programs_of_workspace ON programs (workspace_id);

CREATE TABLE api_keys (
  id text PRIMARY KEY COLLATE "C",              -- the public part of the key
  program_id integer NOT NULL REFERENCES programs,
  name text NOT NULL,
  secret_hash bytea NOT NULL,                   -- SHA-256; the secret itself is shown once and never stored
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_of_program ON api_keys (program_id);

-- One row per partner and program: the interface's partner-program record.
CREATE TABLE partners (
  program_id integer NOT NULL REFERENCES programs,
  id integer GENERATED BY DEFAULT AS IDENTITY,
  name text NOT NULL,
  email text,
  code text NOT NULL COLLATE "C",
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'suspended')),
  archived boolean NOT NULL DEFAULT false,      -- hidden from lists, with its links disabled; nothing is deleted
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, code)
);
-- A click may carry a code instead of a link's aff, and names no program.
CREATE INDEX partners_by_code ON partners (code);
-- Duplicate addresses are rejected under a lock, because the error names the other partner (partners/partners.ts).
CREATE INDEX partners_by_email ON partners (program_id, lower(email));

-- Former codes of partners. A code is never reassigned, so old links keep crediting the right partner.
CREATE TABLE partner_former_codes (
  program_id integer NOT NULL,
  code text NOT NULL COLLATE "C",
  partner_id integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, code),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
CREATE INDEX partner_former_codes_of_partner ON partner_former_codes (program_id, partner_id);
CREATE INDEX partner_former_codes_by_code ON partner_former_codes (code);

-- A click names a link only by `aff`, so `aff` is unique across programs.
-- A link may exist before it has a program or a partner; its clicks are rejected until it has both.
CREATE TABLE referral_links (
  id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  aff text NOT NULL UNIQUE COLLATE "C",
  program_id integer REFERENCES programs,
  partner_id integer,
  destination_url text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
CREATE INDEX referral_links_of_program ON referral_links (program_id);
-- A partner's own figures are read link by link.
CREATE INDEX referral_links_of_partner ON referral_links (program_id, partner_id);

-- Which user signs in as which partner: one partner per program, in any number of programs.
CREATE TABLE partner_users (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id, user_id),
  CONSTRAINT partner_users_one_partner UNIQUE (program_id, user_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
CREATE INDEX partner_users_of_user ON partner_users (user_id);

-- Links that give a partner an account. Only a hash of the secret is stored.
CREATE TABLE partner_invitations (
  program_id integer NOT NULL,
  secret_hash bytea NOT NULL,
  partner_id integer NOT NULL,
  email text NOT NULL,
  -- The link was mailed and never shown, so opening it proves access to the address.
  only_mailed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  PRIMARY KEY (program_id, secret_hash),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- Where a partner wants to be paid. Set by the partner, read by the merchant.
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

-- A payout destination that changed recently. Payment files leave the partner out until `held_until`.
CREATE TABLE partner_destination_holds (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  changed_at timestamptz NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- Whether this instance gets demo data is decided once, by the owner at startup; the row records the decision.
CREATE TABLE demo_seed (
  id boolean PRIMARY KEY CHECK (id),
  decided_at timestamptz NOT NULL,
  program_id integer REFERENCES programs ON DELETE SET NULL -- null: the instance was already in use and got no demo
);
REVOKE INSERT, UPDATE, DELETE ON demo_seed FROM tributary_app;

-- migration 0004-tracking
-- Visitors, clicks and leads. `program_id` leads every key, so that a program's rows can live together on one node of a cluster.
-- No triggers, and no sequences shared between click writers: see ARCHITECTURE.md, "The click path".

-- The interface's click/customer relationship, identified by `click_id`.
-- No foreign key to programs: the click writer holds a lock on the link, which implies it, and checking again for every new
-- visitor takes a seventh of Postgres' time for a click.
-- No index has a column that a click or a lead changes, so the row is updated in place (docs/decisions/0016).
CREATE TABLE customers (
  program_id integer NOT NULL,
  click_id text NOT NULL COLLATE "C",
  customer_status text NOT NULL DEFAULT 'click' CHECK (customer_status IN ('click', 'lead', 'customer')),
  customer_key text COLLATE "C",                -- saved when the lead settles, never before
  link_id integer NOT NULL,                     -- the credited link and partner
  partner_id integer NOT NULL,
  credited_click_at timestamptz NOT NULL,       -- the click they are credited for
  first_clicked_at timestamptz NOT NULL,
  last_clicked_at timestamptz NOT NULL,         -- the attribution window starts here
  email_hash bytea,
  email_masked text,
  PRIMARY KEY (program_id, click_id),
  CHECK ((customer_status = 'click') = (customer_key IS NULL))
) WITH (fillfactor = 90);

-- Every customer_key that a settled lead or a sale has named. Customers are found by key here, not in `customers`; one statement
-- writes both. Leads and sales lock the key's row before they look for each other, so concurrent calls cannot both miss.
CREATE TABLE customer_keys (
  program_id integer NOT NULL,
  customer_key text NOT NULL COLLATE "C",
  click_id text COLLATE "C",                    -- null while only a sale has named the key
  PRIMARY KEY (program_id, customer_key)
) WITH (fillfactor = 50); -- most rows are updated once, soon after the insert

CREATE TABLE click_events (
  program_id integer NOT NULL,
  id uuid NOT NULL,                             -- generated by the service, so that a retried batch is recognised
  clicked_at timestamptz NOT NULL,
  day date NOT NULL,                            -- in the program's time zone; the day in daily_counts
  click_id text NOT NULL COLLATE "C",
  link_id integer NOT NULL,
  partner_id integer NOT NULL,
  reused boolean NOT NULL,                      -- the visitor already had this click_id
  page_url text,
  page_title text,
  referrer_url text,
  session_id text,
  screen_resolution text,
  viewport_size text,
  language text,
  timezone text,
  country text,
  region text,
  city text,
  device text,
  browser text,
  operating_system text,
  visitor_hash bytea,                           -- keyed hash of the IP; the key changes daily and the IP is never stored
  PRIMARY KEY (program_id, clicked_at, id)
) PARTITION BY RANGE (clicked_at);
CREATE INDEX click_events_by_click_id ON click_events (program_id, click_id);
-- Crawlers are stored but not counted, so a list that includes them adds them to the counted total.
CREATE INDEX click_events_of_crawlers ON click_events (program_id, clicked_at) WHERE device = 'bot';
-- Monthly partitions are created ahead of time (database/schema/partitions.ts). This one takes clicks of all other months.
CREATE TABLE click_events_other PARTITION OF click_events DEFAULT;

-- Since when click events are complete, if RETENTION_DAYS has dropped older months. Counts stay, so before that time they may
-- exceed the remaining events. Written by the owner, who drops the partitions.
CREATE TABLE click_retention (
  id boolean PRIMARY KEY CHECK (id),
  kept_since timestamptz NOT NULL,
  dropped_at timestamptz NOT NULL
);
REVOKE INSERT, UPDATE, DELETE ON click_retention FROM tributary_app;

CREATE TABLE leads (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  click_id text NOT NULL COLLATE "C",
  state text NOT NULL CHECK (state IN ('provisional', 'settled')),
  settled_by text CHECK (settled_by IN ('server', 'browser', 'processor')),
  link_id integer NOT NULL,
  partner_id integer NOT NULL,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  day date,                                     -- of settlement, in the program's time zone
  visitor_hash bytea,                           -- for the review rule about many leads from one visitor
  -- A lead that a browser settled is unverified until a server lead or a processor payment confirms the customer
  -- (docs/decisions/0023).
  confirmed_at timestamptz,
  confirmed_by text CHECK (confirmed_by IN ('server', 'processor')),
  -- Confirmed by another click of the same partner: sales before that click stay unverified. Null: all sales are verified.
  confirmed_since timestamptz,
  -- Copied from erased_customers when an erased customer is reported again.
  rewarded_before boolean NOT NULL DEFAULT false,
  first_sold_before timestamptz,
  unpaid_before boolean NOT NULL DEFAULT false,
  unpaid_sold_before timestamptz,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, click_id),
  FOREIGN KEY (program_id, click_id) REFERENCES customers (program_id, click_id),
  CHECK ((state = 'settled') = (settled_at IS NOT NULL AND settled_by IS NOT NULL AND day IS NOT NULL)),
  CHECK (num_nulls(confirmed_at, confirmed_by) IN (0, 2)),
  CHECK (confirmed_at IS NULL OR settled_by IS NOT DISTINCT FROM 'browser'),
  CHECK (confirmed_since IS NULL OR confirmed_at IS NOT NULL)
);
CREATE INDEX leads_by_time ON leads (program_id, created_at);
CREATE INDEX leads_of_partner ON leads (program_id, partner_id, created_at);
CREATE INDEX leads_of_visitor ON leads (program_id, visitor_hash, day) WHERE visitor_hash IS NOT NULL;
-- The roll-up recomputes a day from its rows.
CREATE INDEX leads_by_day ON leads (program_id, day) WHERE settled_at IS NOT NULL;
-- The setup page looks for the latest lead of each kind. Without this index, a kind that never occurred scans every row.
CREATE INDEX leads_by_settler ON leads (program_id, settled_by, settled_at) WHERE settled_at IS NOT NULL;

-- What an erased customer has already earned, by a keyed hash of the key: if reported again, the same customer must not earn it
-- twice. No other row refers to it, so it does not reveal whose rows remain.
CREATE TABLE erased_customers (
  program_id integer NOT NULL,
  key_hash bytea NOT NULL,
  lead_rewarded boolean NOT NULL,
  first_sold_at timestamptz,
  -- Erased before the program's first terms were applied to earlier events (docs/decisions/0009): whether there was a lead, and
  -- when the first sale was made. Both count as paid once those terms are applied.
  lead_unpaid boolean NOT NULL DEFAULT false,
  unpaid_sold_at timestamptz,
  PRIMARY KEY (program_id, key_hash)
);

-- Test events have a separate table, so they cannot affect production numbers.
CREATE TABLE test_events (
  program_id integer NOT NULL REFERENCES programs,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  event_type text NOT NULL CHECK (event_type IN ('click', 'lead', 'sale')),
  -- The dashboard's own checks do not prove that the merchant's integration works. Null: claims to be such a check but was sent
  -- without a member's session, so it proves nothing.
  origin text CHECK (origin IN ('dashboard', 'browser', 'server', 'processor')),
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id)
);
CREATE INDEX test_events_by_type ON test_events (program_id, event_type, id);
CREATE INDEX test_events_by_time ON test_events (program_id, created_at);
CREATE INDEX test_events_by_origin ON test_events (program_id, event_type, origin, id);

-- Calls sent with an Idempotency-Key, written in the transaction of their effect. Key and request are stored as keyed hashes,
-- because both can identify a person.
CREATE TABLE idempotency_keys (
  program_id integer NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  answer jsonb,                                 -- null only while its transaction runs
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- migration 0005-payments
-- Payment processors: connections, every event as received, and what the events report about payments.

-- A program's connection to its processor. No row: not connected.
CREATE TABLE processor_connections (
  program_id integer PRIMARY KEY REFERENCES programs,
  status text NOT NULL CHECK (status IN ('not_connected', 'pending', 'connected', 'restricted', 'disconnected')),
  kind text NOT NULL DEFAULT 'own' CHECK (kind IN ('own', 'platform')),
  account_id text,
  livemode boolean,                             -- only for accounts connected through the platform
  charges_enabled boolean NOT NULL DEFAULT false,
  payouts_enabled boolean NOT NULL DEFAULT false,
  details_submitted boolean NOT NULL DEFAULT false,
  flags_at timestamptz,                         -- when the processor reported these flags; older reports are ignored
  connected_at timestamptz,
  secret bytea,                                 -- signing secret of the merchant's own endpoint, encrypted with the instance's key
  secret_set_at timestamptz,
  secret_confirmed_at timestamptz,              -- when the first event signed with it was received
  previous_secret bytea,                        -- accepted after a rotation until the new one is confirmed or this one expires
  previous_secret_until timestamptz,
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);

-- All processor events of a workspace are stored under one of its programs, the home program: two endpoints of one account both
-- receive every event, and reports of one payment may arrive through either. Set by the first connection and never changed.
CREATE TABLE processor_home_programs (
  workspace_id text PRIMARY KEY REFERENCES workspaces,
  program_id integer NOT NULL REFERENCES programs
);

-- The workspace of each connected account. Platform events name the account only, so it can belong to one workspace.
-- An account without a workspace has a row too: connecting it, disconnecting it and storing its events lock the row.
CREATE TABLE processor_accounts (
  account_id text PRIMARY KEY COLLATE "C",
  workspace_id text REFERENCES workspaces
);

-- `program_id` is the home program of the connection that reported the payment. Its sale may be in another program of the same
-- workspace, if the payment says so.
CREATE TABLE payments (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  PRIMARY KEY (program_id, id)
);

-- Every reference of a payment, including the merchant's invoice_id. Creating, merging or refunding a sale locks this row first,
-- so this key decides every race. A payment's sale is the one whose invoice_id is among its references.
CREATE TABLE payment_references (
  program_id integer NOT NULL,
  reference text NOT NULL COLLATE "C",
  payment_id bigint,                            -- null: the invoice_id of a sale that no processor has reported
  PRIMARY KEY (program_id, reference),
  FOREIGN KEY (program_id, payment_id) REFERENCES payments (program_id, id)
);
CREATE INDEX payment_references_of_payment ON payment_references (program_id, payment_id) WHERE payment_id IS NOT NULL;

-- Each distinct report, once. A payment is the fold of all its reports, in whatever order they arrived.
CREATE TABLE payment_reports (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  payment_id bigint NOT NULL,
  report jsonb NOT NULL,
  report_hash bytea NOT NULL,                   -- a report with the same content is the same report
  fate text NOT NULL CHECK (fate IN ('applied', 'waiting', 'ignored', 'refused')),
  reason text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, report_hash),
  FOREIGN KEY (program_id, payment_id) REFERENCES payments (program_id, id)
);
CREATE INDEX payment_reports_of_payment ON payment_reports (program_id, payment_id);
CREATE INDEX payment_reports_of_customer ON payment_reports (program_id, (report->'attribution'->>'customerKey'))
  WHERE report->'attribution'->>'customerKey' IS NOT NULL;
-- The content of a report never changes; the payment it belongs to and its fate may.
REVOKE UPDATE, DELETE ON payment_reports FROM tributary_app;
GRANT UPDATE (payment_id, fate, reason) ON payment_reports TO tributary_app;

CREATE TABLE processor_events (
  program_id integer NOT NULL REFERENCES programs, -- the workspace's home program
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  processor text NOT NULL,
  event_id text NOT NULL COLLATE "C",
  type text NOT NULL,
  account_id text,
  livemode boolean NOT NULL,
  api_version text,
  created_at timestamptz NOT NULL,              -- by the processor's clock
  received_at timestamptz NOT NULL,
  payload bytea NOT NULL,                       -- the signed bytes, until an erasure redacts them
  redacted_at timestamptz,
  -- The outcome. An event that produced a report has the report's, which can still change.
  report_id bigint,
  fate text CHECK (fate IN ('applied', 'waiting', 'ignored', 'refused')),
  reason text,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, event_id),
  CHECK ((fate IS NULL) = (reason IS NULL))
);
CREATE INDEX processor_events_by_time ON processor_events (program_id, created_at, id);
-- The setup page shows when each type was last received.
CREATE INDEX processor_events_by_type ON processor_events (program_id, type, received_at);
CREATE INDEX processor_events_of_report ON processor_events (program_id, report_id) WHERE report_id IS NOT NULL;
-- "Why not?" also searches for a payment among events that produced no report. Most of those are not about payments.
CREATE INDEX processor_events_without_report ON processor_events (program_id, id)
  WHERE report_id IS NULL AND reason <> 'other_event';
-- A received event never changes; its outcome may.
REVOKE UPDATE, DELETE ON processor_events FROM tributary_app;
GRANT UPDATE (report_id, fate, reason) ON processor_events TO tributary_app;

-- Genuine events of accounts that no workspace has connected, so they belong to no program. The workspace that connects the
-- account claims them, once.
CREATE TABLE processor_unassigned_events (
  event_id text PRIMARY KEY COLLATE "C",
  processor text NOT NULL,
  type text NOT NULL,
  account_id text,
  created_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  reason text NOT NULL,
  payload bytea NOT NULL,
  redacted_at timestamptz,
  claimed_at timestamptz
);
CREATE INDEX processor_unassigned_events_to_adopt ON processor_unassigned_events (account_id) WHERE claimed_at IS NULL;
REVOKE UPDATE, DELETE ON processor_unassigned_events FROM tributary_app;
GRANT UPDATE (claimed_at) ON processor_unassigned_events TO tributary_app;

-- Erasing a customer (docs/decisions/0009) has to change reports and events, which the service may not rewrite. It may call only
-- these three functions, and each leaves a visible mark.

-- Replaces the customer's key in a report with a token. It cannot change amounts, references or times.
CREATE FUNCTION forget_payer(of_program integer, of_report bigint, token text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF token IS NULL OR token !~ '^erased_[\w-]{20,}$' THEN RAISE EXCEPTION 'a key is replaced by a token only'; END IF;
  UPDATE payment_reports SET report = jsonb_set(report, '{attribution,customerKey}', to_jsonb(token))
  WHERE program_id = of_program AND id = of_report AND report->'attribution'->>'customerKey' IS NOT NULL;
END $$;

-- A payload that differs from the received bytes always has redacted_at set.
CREATE FUNCTION redact_event(of_program integer, of_event bigint, redacted bytea, at timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE processor_events SET payload = redacted, redacted_at = coalesce(at, now()) WHERE program_id = of_program AND id = of_event
$$;
CREATE FUNCTION redact_unassigned_event(of_event text, redacted bytea, at timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE processor_unassigned_events SET payload = redacted, redacted_at = coalesce(at, now()) WHERE event_id = of_event
$$;

-- They find our tables whatever the caller's search path is.
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION forget_payer SET search_path = %1$I, pg_temp;
    ALTER FUNCTION redact_event SET search_path = %1$I, pg_temp;
    ALTER FUNCTION redact_unassigned_event SET search_path = %1$I, pg_temp', current_schema());
END $$;

REVOKE EXECUTE ON FUNCTION forget_payer, redact_event, redact_unassigned_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_payer, redact_event, redact_unassigned_event TO tributary_app;

-- migration 0006-money
-- Sales and what partners earn. Amounts are integers in minor units of a currency; rates are basis points.

CREATE TABLE sales (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  invoice_id text NOT NULL COLLATE "C",
  customer_key text COLLATE "C",
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  event_name text,
  subscription_id text,
  metadata jsonb,
  reported_by text NOT NULL DEFAULT 'merchant' CHECK (reported_by IN ('merchant', 'processor')),
  request_hash bytea NOT NULL,                  -- distinguishes a retry from another sale with the same invoice
  sold_at timestamptz NOT NULL,
  day date NOT NULL,                            -- in the program's time zone
  -- Attribution. All null while the sale is unattributed, and then `reason` says why.
  click_id text COLLATE "C",
  link_id integer,
  partner_id integer,
  credited_at timestamptz,
  reason text,
  -- If two sales turn out to be one payment, one is voided and names the other, unless that is in another program.
  voided_at timestamptz,
  merged_into bigint,
  -- Copied from erased_customers, because the customer that the sale names may no longer have a lead.
  first_sold_before timestamptz,
  unpaid_sold_before timestamptz,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, invoice_id),
  FOREIGN KEY (program_id, click_id) REFERENCES customers (program_id, click_id),
  FOREIGN KEY (program_id, merged_into) REFERENCES sales (program_id, id),
  CHECK (num_nulls(click_id, link_id, partner_id, credited_at) IN (0, 4)),
  CHECK ((click_id IS NULL) = (reason IS NOT NULL)),
  CHECK (merged_into IS NULL OR voided_at IS NOT NULL)
);
CREATE INDEX sales_by_time ON sales (program_id, sold_at);
CREATE INDEX sales_of_partner ON sales (program_id, partner_id, sold_at) WHERE partner_id IS NOT NULL;
CREATE INDEX sales_of_customer ON sales (program_id, click_id) WHERE click_id IS NOT NULL;
-- For unattributed sales waiting for a lead, and for "Why not?".
CREATE INDEX sales_of_customer_key ON sales (program_id, customer_key) WHERE customer_key IS NOT NULL;
CREATE INDEX sales_merged_into ON sales (program_id, merged_into) WHERE merged_into IS NOT NULL;
-- The roll-up recomputes a day from its rows.
CREATE INDEX sales_by_day ON sales (program_id, day) WHERE click_id IS NOT NULL AND voided_at IS NULL;
-- The setup page looks for the latest sale of each kind. Without this index, a kind that never occurred scans every row.
CREATE INDEX sales_by_reporter ON sales (program_id, reported_by, sold_at);

CREATE TABLE refunds (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  sale_id bigint NOT NULL,
  refund_id text COLLATE "C",                   -- the caller's idempotency key
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  is_all boolean NOT NULL DEFAULT false,        -- a full refund, even if the sale's amount is corrected later
  reason text,
  request_hash bytea NOT NULL,
  refunded_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, refund_id),
  FOREIGN KEY (program_id, sale_id) REFERENCES sales (program_id, id)
);
CREATE INDEX refunds_of_sale ON refunds (program_id, sale_id);
REVOKE UPDATE, DELETE ON refunds FROM tributary_app;

-- How much of a sale the processor reports as refunded, without tax. It can decrease, because a refund may fail.
CREATE TABLE processor_refunds (
  program_id integer NOT NULL,
  sale_id bigint NOT NULL,
  refunded_cents bigint NOT NULL CHECK (refunded_cents >= 0),
  refund_ids text[] NOT NULL,                   -- a refund reported by the merchant under one of these is the same refund
  PRIMARY KEY (program_id, sale_id),
  FOREIGN KEY (program_id, sale_id) REFERENCES sales (program_id, id)
);

CREATE TABLE disputes (
  program_id integer NOT NULL,
  sale_id bigint NOT NULL,
  dispute_id text NOT NULL COLLATE "C",
  status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  disputed_cents bigint CHECK (disputed_cents >= 0), -- without tax; null: the whole sale
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  PRIMARY KEY (program_id, sale_id, dispute_id),
  FOREIGN KEY (program_id, sale_id) REFERENCES sales (program_id, id),
  CHECK ((status = 'open') = (closed_at IS NULL))
);

-- Terms never change; a new version replaces them. Versions are numbered per program, including partners' custom terms.
CREATE TABLE reward_terms (
  program_id integer NOT NULL REFERENCES programs,
  version integer NOT NULL CHECK (version > 0),
  partner_id integer,                           -- null: for every partner without custom terms
  inherits boolean NOT NULL DEFAULT false,      -- ends the partner's custom terms; the program's apply again
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'), -- of the flat amounts and the minimum
  lead_amount_cents bigint CHECK (lead_amount_cents > 0),
  sale_percent_bps integer CHECK (sale_percent_bps BETWEEN 1 AND 10000),
  sale_amount_cents bigint CHECK (sale_amount_cents > 0),
  sale_duration text CHECK (sale_duration IN ('first', 'months', 'lifetime')),
  sale_months integer CHECK (sale_months BETWEEN 1 AND 120),
  hold_days integer NOT NULL DEFAULT 30 CHECK (hold_days BETWEEN 0 AND 365),
  minimum_payout_cents bigint NOT NULL DEFAULT 0 CHECK (minimum_payout_cents >= 0),
  valid_from timestamptz NOT NULL,
  PRIMARY KEY (program_id, version),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id),
  CHECK (num_nonnulls(sale_percent_bps, sale_amount_cents) <= 1),
  CHECK ((sale_duration IS NOT NULL) = (num_nonnulls(sale_percent_bps, sale_amount_cents) = 1)),
  CHECK ((sale_months IS NOT NULL) = (sale_duration IS NOT DISTINCT FROM 'months'))
);
REVOKE UPDATE, DELETE ON reward_terms FROM tributary_app;

-- A program's first terms, applied on request to earlier leads and sales. One customer per transaction, in click_id order, so that
-- an interrupted run can resume.
CREATE TABLE reward_backfills (
  program_id integer NOT NULL,
  terms_version integer NOT NULL,
  requested_by text NOT NULL,                   -- the user; no foreign key, so that accounts stay separate
  requested_at timestamptz NOT NULL,            -- events up to this time are covered
  last_click_id text NOT NULL COLLATE "C" DEFAULT '',
  leads integer NOT NULL DEFAULT 0,             -- leads that earned a commission
  sales integer NOT NULL DEFAULT 0,
  earned jsonb NOT NULL DEFAULT '{}',           -- cents by currency, after refunds
  finished_at timestamptz,
  PRIMARY KEY (program_id),
  FOREIGN KEY (program_id, terms_version) REFERENCES reward_terms (program_id, version)
);
CREATE INDEX reward_backfills_open ON reward_backfills (program_id) WHERE finished_at IS NULL;

-- What a lead or a sale has earned, written in the same transaction. A correction, for example when the processor reports the tax
-- late, updates the row and adds a ledger line. Partner, currency and event never change.
CREATE TABLE commissions (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('lead', 'sale')),
  lead_id bigint,
  sale_id bigint,
  partner_id integer NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  currency text NOT NULL,
  terms_version integer NOT NULL,
  earned_at timestamptz NOT NULL,
  payable_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, lead_id),
  UNIQUE (program_id, sale_id),
  FOREIGN KEY (program_id, terms_version) REFERENCES reward_terms (program_id, version),
  FOREIGN KEY (program_id, lead_id) REFERENCES leads (program_id, id),
  FOREIGN KEY (program_id, sale_id) REFERENCES sales (program_id, id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id),
  CHECK ((kind = 'lead') = (lead_id IS NOT NULL) AND (kind = 'sale') = (sale_id IS NOT NULL))
);
CREATE INDEX commissions_of_partner ON commissions (program_id, partner_id, id);
REVOKE UPDATE, DELETE ON commissions FROM tributary_app;
GRANT UPDATE (amount_cents, terms_version, earned_at, payable_at) ON commissions TO tributary_app;

-- A commission that a member must release or reject before it counts.
CREATE TABLE commission_reviews (
  program_id integer NOT NULL,
  commission_id bigint NOT NULL,
  reason text NOT NULL,                         -- the first reason that still applies
  further_reasons text[] NOT NULL DEFAULT '{}', -- the others that still apply
  opened_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('released', 'rejected')),
  decision_note text,
  decided_by text,                              -- the user; no foreign key, so that accounts stay separate
  decided_at timestamptz,
  PRIMARY KEY (program_id, commission_id),
  FOREIGN KEY (program_id, commission_id) REFERENCES commissions (program_id, id),
  CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE INDEX commission_reviews_open ON commission_reviews (program_id) WHERE decision IS NULL;

-- Debits (refunds, disputes, payouts) lock the partner's account; credits do not.
CREATE TABLE partner_accounts (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  currency text NOT NULL,
  PRIMARY KEY (program_id, partner_id, currency),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

CREATE TABLE payouts (
  program_id integer NOT NULL REFERENCES programs,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  cutoff_at timestamptz NOT NULL,               -- includes everything payable by then
  created_by text NOT NULL,
  PRIMARY KEY (program_id, id)
);

-- A partner may have lines in several open payouts. They cannot pay the same balance twice, because it moves into the line under
-- the lock of the partner's account.
CREATE TABLE payout_lines (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  payout_id bigint NOT NULL,
  partner_id integer NOT NULL,
  currency text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'failed')),
  reserved_cents bigint NOT NULL CHECK (reserved_cents > 0),
  -- The highest amount in any exported file. A later, smaller file does not lower it: the first may have been paid.
  exported_cents bigint CHECK (exported_cents > 0),
  -- The payment file that includes the line, and its account. A file of another method omits the line until a member resets it.
  file_method text CHECK (file_method IN ('paypal', 'wise')),
  file_account text,
  -- Entered by the member who marked the line paid.
  reference text,
  paid_on date,
  decided_at timestamptz,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, payout_id, partner_id, currency),
  FOREIGN KEY (program_id, payout_id) REFERENCES payouts (program_id, id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id),
  CHECK ((status = 'open') = (decided_at IS NULL)),
  CHECK ((file_method IS NULL) = (file_account IS NULL)),
  CHECK (status = 'paid' OR (reference IS NULL AND paid_on IS NULL))
);
CREATE INDEX payout_lines_open ON payout_lines (program_id) WHERE status = 'open';

-- Which commissions a line pays. A failed line returns its commissions to the next payout.
CREATE TABLE payout_commissions (
  program_id integer NOT NULL,
  payout_line_id bigint NOT NULL,
  commission_id bigint NOT NULL,
  PRIMARY KEY (program_id, commission_id, payout_line_id),
  FOREIGN KEY (program_id, payout_line_id) REFERENCES payout_lines (program_id, id),
  FOREIGN KEY (program_id, commission_id) REFERENCES commissions (program_id, id)
);

-- The source of truth. A line moves an amount from one account of a partner to another, so it cannot be unbalanced. Accounts:
--   program   the program's own side: commissions come from it and reversals return to it
--   review    awaiting a member's decision
--   disputed  the customer has disputed the payment
--   earned    held until `available_at`, then payable; a negative balance is the partner's debt
--   batched   reserved by an open payout line
--   paid      paid out
CREATE TABLE ledger_lines (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  partner_id integer NOT NULL,
  currency text NOT NULL,
  from_account text NOT NULL CHECK (from_account IN ('program', 'review', 'disputed', 'earned', 'batched', 'paid')),
  to_account text NOT NULL CHECK (to_account IN ('program', 'review', 'disputed', 'earned', 'batched', 'paid')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  available_at timestamptz NOT NULL,
  cause text NOT NULL,
  commission_id bigint,
  refund_id bigint,
  payout_line_id bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  FOREIGN KEY (program_id, commission_id) REFERENCES commissions (program_id, id),
  FOREIGN KEY (program_id, payout_line_id) REFERENCES payout_lines (program_id, id),
  CHECK (from_account <> to_account)
-- Index-only scans must fetch rows added since the last vacuum, so vacuum before they make up a fifth of the table.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Balances are summed with an index-only scan (money/ledger/ledger.ts, docs/decisions/0020).
CREATE INDEX ledger_lines_of_account ON ledger_lines (program_id, partner_id, currency, from_account, to_account)
  INCLUDE (available_at, amount_cents);
CREATE INDEX ledger_lines_of_commission ON ledger_lines (program_id, commission_id);
CREATE INDEX ledger_lines_of_payout_line ON ledger_lines (program_id, payout_line_id) WHERE payout_line_id IS NOT NULL;
REVOKE UPDATE, DELETE ON ledger_lines FROM tributary_app;

-- Lines are sealed in blocks. A block has a hash of its lines and of the previous block.
CREATE TABLE ledger_blocks (
  program_id integer NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  line_count integer NOT NULL CHECK (line_count > 0),
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, number)
);
REVOKE UPDATE, DELETE ON ledger_blocks FROM tributary_app;

-- The lines of each block. A range of IDs would miss lines that commit late, because IDs are assigned before the commit.
CREATE TABLE ledger_block_lines (
  program_id integer NOT NULL,
  line_id bigint NOT NULL,
  block_number integer NOT NULL,
  hash bytea NOT NULL,                          -- of this line and all previous ones, so that verification can name the first that differs
  PRIMARY KEY (program_id, line_id),
  FOREIGN KEY (program_id, block_number) REFERENCES ledger_blocks (program_id, number),
  FOREIGN KEY (program_id, line_id) REFERENCES ledger_lines (program_id, id)
);
CREATE INDEX ledger_block_lines_of_block ON ledger_block_lines (program_id, block_number);
REVOKE UPDATE, DELETE ON ledger_block_lines FROM tributary_app;

-- migration 0007-decisions-and-audit
-- Why something was decided, and who changed what. Both are append-only.

-- One row per decision about an event, written in its transaction: the rule, its facts and its result. The same version of the
-- rule gives the same result for the same facts. No personal data.
CREATE TABLE decisions (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  subject text NOT NULL CHECK (subject IN ('lead', 'sale', 'refund', 'dispute', 'review')),
  subject_id text NOT NULL COLLATE "C",         -- ID of the lead, sale, refund or dispute; for a review, of the commission
  lead_id bigint,                               -- the lead or sale that it concerns, for lookups
  sale_id bigint,
  decided_at timestamptz NOT NULL,
  rule text NOT NULL,
  rule_version integer NOT NULL CHECK (rule_version > 0),
  outcome text NOT NULL,
  reason text NOT NULL,
  facts jsonb NOT NULL,
  result jsonb NOT NULL,                        -- the whole result: the winner, the losers and why, the amounts
  PRIMARY KEY (program_id, id),
  FOREIGN KEY (program_id, lead_id) REFERENCES leads (program_id, id),
  FOREIGN KEY (program_id, sale_id) REFERENCES sales (program_id, id),
  CHECK (num_nonnulls(lead_id, sale_id) = 1)
);
CREATE INDEX decisions_of_lead ON decisions (program_id, lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX decisions_of_sale ON decisions (program_id, sale_id) WHERE sale_id IS NOT NULL;
REVOKE UPDATE, DELETE ON decisions FROM tributary_app;

-- An entry belongs to a program or, for members and invitations, to a workspace.
CREATE TABLE audit_entries (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  program_id integer REFERENCES programs,
  workspace_id text REFERENCES workspaces,
  user_id text,
  by_partner_id integer,                        -- the partner who made the change in the portal
  action text NOT NULL,
  subject text NOT NULL,
  before jsonb,
  after jsonb,
  created_at timestamptz NOT NULL,
  CHECK (num_nonnulls(program_id, workspace_id) = 1)
);
CREATE INDEX audit_entries_of_program ON audit_entries (program_id, id);
CREATE INDEX audit_entries_of_workspace ON audit_entries (workspace_id, id);
-- The portal shows partners the changes to their own access.
CREATE INDEX audit_entries_of_subject ON audit_entries (program_id, subject, id);
REVOKE UPDATE, DELETE ON audit_entries FROM tributary_app;

-- migration 0008-reporting
-- Counts and sums for the dashboard. Clicks are counted as they are written. For leads, sales and money a write only marks its
-- day, and the roll-up recomputes marked days from their rows (docs/decisions/0030).

-- A link's `clicks` and `last_clicked`, the partner's metrics and the daily chart are sums of this.
-- Each click writer has its own slot (0, 1, …), so that no two of them update the same row.
CREATE TABLE daily_counts (
  program_id integer NOT NULL,
  link_id integer NOT NULL,
  partner_id integer NOT NULL,
  day date NOT NULL,
  slot smallint NOT NULL,
  clicks bigint NOT NULL DEFAULT 0,
  last_clicked_at timestamptz,
  PRIMARY KEY (program_id, link_id, partner_id, day, slot)
) WITH (fillfactor = 50);
-- For charts, which query by day. It has no column that a click changes, so counting a click updates no index.
CREATE INDEX daily_counts_by_day ON daily_counts (program_id, day);

-- Clicks per link in weeks that have ended in every time zone, so that a quarter with thousands of links is summed quickly.
CREATE TABLE weekly_clicks (
  program_id integer NOT NULL,
  week date NOT NULL,                           -- its Monday
  link_id integer NOT NULL,
  partner_id integer NOT NULL,
  clicks bigint NOT NULL,
  PRIMARY KEY (program_id, week, link_id, partner_id)
);

-- Days to recompute. Insert-only, so that writers do not block each other. A day is marked as long as one row names it.
CREATE TABLE changed_days (
  program_id integer NOT NULL,
  day date NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  PRIMARY KEY (program_id, day, id)
);

-- Settled leads and attributed sales of days that are not marked.
CREATE TABLE daily_conversions (
  program_id integer NOT NULL,
  link_id integer NOT NULL,
  partner_id integer NOT NULL,
  day date NOT NULL,
  leads bigint NOT NULL,
  sales bigint NOT NULL,
  PRIMARY KEY (program_id, link_id, partner_id, day)
);
CREATE INDEX daily_conversions_by_day ON daily_conversions (program_id, day);

-- Clicks, leads and sales by visitor attributes.
CREATE TABLE daily_breakdowns (
  program_id integer NOT NULL,
  dimension text NOT NULL CHECK (dimension IN ('country', 'device', 'browser', 'os', 'referrer', 'landing')),
  day date NOT NULL,
  value text NOT NULL COLLATE "C",              -- '' if unknown, '(other)' for rare values
  clicks bigint NOT NULL DEFAULT 0,
  leads bigint NOT NULL DEFAULT 0,
  sales bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (program_id, dimension, day, value)
);

-- Attributed revenue and commissions, including those of leads, by the same dimensions and by link (`value` is its ID).
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

-- How far a program is rolled up. The roll-up locks the row; readers add later events from their rows.
CREATE TABLE roll_ups (
  program_id integer PRIMARY KEY,
  counted_until timestamptz NOT NULL,
  checked_day date NOT NULL,                    -- days up to here were compared with daily_counts
  summed_week date                              -- the last week in weekly_clicks
);

-- migration 0009-groups
-- Partner groups: each has its own reward terms, landing pages and tier rule. A partner without a row in partner_group_changes is in
-- the program's default group.

CREATE TABLE partner_groups (
  program_id integer NOT NULL REFERENCES programs,
  id integer GENERATED BY DEFAULT AS IDENTITY,
  name text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  landing_pages text[] NOT NULL DEFAULT '{}' CHECK (cardinality(landing_pages) <= 20), -- the first is the default destination of new links
  -- The tier rule: after this many sales, or this amount, within the period, partners move to another group.
  tier_sales integer CHECK (tier_sales > 0),
  tier_amount_cents bigint CHECK (tier_amount_cents > 0),
  tier_currency text CHECK (tier_currency ~ '^[A-Z]{3}$'),
  tier_within text CHECK (tier_within IN ('month', 'quarter', 'year', 'all')),
  tier_move_to integer,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,                       -- past terms and memberships still refer to the group
  PRIMARY KEY (program_id, id),
  FOREIGN KEY (program_id, tier_move_to) REFERENCES partner_groups (program_id, id),
  CHECK (NOT is_default OR deleted_at IS NULL),
  CHECK (num_nonnulls(tier_sales, tier_amount_cents) = num_nonnulls(tier_move_to)),
  CHECK ((tier_within IS NULL) = (tier_move_to IS NULL)),
  CHECK ((tier_currency IS NULL) = (tier_amount_cents IS NULL)),
  CHECK (tier_move_to <> id)
);
CREATE UNIQUE INDEX partner_groups_default ON partner_groups (program_id) WHERE is_default;
CREATE UNIQUE INDEX partner_groups_by_name ON partner_groups (program_id, lower(name)) WHERE deleted_at IS NULL;

INSERT INTO partner_groups (program_id, name, is_default, created_at)
SELECT id, 'Default', true, created_at FROM programs;

-- The group's terms, for its partners without custom terms. The default group's have neither a partner nor a group.
ALTER TABLE reward_terms
  ADD COLUMN group_id integer,
  ADD FOREIGN KEY (program_id, group_id) REFERENCES partner_groups (program_id, id),
  ADD CHECK (num_nonnulls(partner_id, group_id) <= 1);

-- Which group a partner is in, from when. Rows never change, so an event keeps the terms of the group at its moment.
CREATE TABLE partner_group_changes (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  partner_id integer NOT NULL,
  group_id integer NOT NULL,
  valid_from timestamptz NOT NULL,
  moved_by text,                                -- the user; null if a tier rule moved the partner
  -- The group whose tier rule moved the partner, the first day of the period, and the rule with what was counted.
  tier_group_id integer,
  tier_period date,
  tier jsonb,
  PRIMARY KEY (program_id, id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id),
  FOREIGN KEY (program_id, group_id) REFERENCES partner_groups (program_id, id),
  FOREIGN KEY (program_id, tier_group_id) REFERENCES partner_groups (program_id, id),
  CHECK (num_nulls(tier_group_id, tier_period, tier) IN (0, 3)),
  CHECK ((moved_by IS NULL) = (tier_group_id IS NOT NULL))
);
CREATE INDEX partner_group_changes_of_partner ON partner_group_changes (program_id, partner_id, id);
-- A tier rule moves a partner once per period, even if a member moves them back.
CREATE UNIQUE INDEX partner_group_changes_by_tier ON partner_group_changes (program_id, partner_id, tier_group_id, tier_period)
  WHERE tier_group_id IS NOT NULL;
REVOKE UPDATE, DELETE ON partner_group_changes FROM tributary_app;

-- migration 0010-adjustments
-- What members decide about money by hand: bonuses, manual commissions, voids, and whose a sale is. Both tables are append-only:
-- an adjustment is undone by a reversal, and the rules read both. The order of adjustments is the order of their IDs.

CREATE TABLE adjustments (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  type text NOT NULL CHECK (type IN ('bonus', 'commission', 'void', 'credit', 'move')),
  partner_id integer NOT NULL,                  -- who receives it; for a void, whose commission it was
  from_partner_id integer,                      -- for a move, the partner who had the sale
  sale_id bigint,                               -- credited or moved; for a manual commission only a reference
  commission_id bigint,                         -- voided; no foreign key, because commissions refer to adjustments
  amount_cents bigint CHECK (amount_cents > 0),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  payable_at timestamptz,
  reason text NOT NULL,                         -- the partners concerned see it
  note text,                                    -- only members see it
  created_by text NOT NULL,                     -- the user; no foreign key, so that accounts stay separate
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id),
  FOREIGN KEY (program_id, from_partner_id) REFERENCES partners (program_id, id),
  FOREIGN KEY (program_id, sale_id) REFERENCES sales (program_id, id),
  CHECK (num_nulls(amount_cents, currency, payable_at) = CASE WHEN type IN ('bonus', 'commission') THEN 0 ELSE 3 END),
  CHECK ((type = 'void') = (commission_id IS NOT NULL)),
  CHECK (type = 'commission' OR (type IN ('credit', 'move')) = (sale_id IS NOT NULL)),
  CHECK ((type = 'move') = (from_partner_id IS NOT NULL))
);
CREATE INDEX adjustments_of_sale ON adjustments (program_id, sale_id) WHERE type IN ('credit', 'move');
CREATE INDEX adjustments_of_commission ON adjustments (program_id, commission_id) WHERE type = 'void';
CREATE INDEX adjustments_of_partner ON adjustments (program_id, partner_id, id);
REVOKE UPDATE, DELETE ON adjustments FROM tributary_app;

CREATE TABLE adjustment_reversals (
  program_id integer NOT NULL,
  adjustment_id bigint NOT NULL,
  reason text NOT NULL,
  reversed_by text NOT NULL,
  reversed_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, adjustment_id),
  FOREIGN KEY (program_id, adjustment_id) REFERENCES adjustments (program_id, id)
);
REVOKE UPDATE, DELETE ON adjustment_reversals FROM tributary_app;

-- Commissions that an adjustment created. `credited` pays for a sale that was credited or moved by hand. It names the adjustment
-- instead of the sale, so `sale_id` still finds the one commission that the automatic rules decide.
ALTER TABLE commissions
  ADD COLUMN adjustment_id bigint,
  ALTER COLUMN terms_version DROP NOT NULL,
  DROP CONSTRAINT commissions_kind_check,
  DROP CONSTRAINT commissions_check,
  ADD CHECK (kind IN ('lead', 'sale', 'bonus', 'manual', 'credited')),
  ADD CHECK ((kind = 'lead') = (lead_id IS NOT NULL) AND (kind = 'sale') = (sale_id IS NOT NULL)
    AND (kind IN ('bonus', 'manual', 'credited')) = (adjustment_id IS NOT NULL)),
  ADD CHECK ((kind IN ('bonus', 'manual')) = (terms_version IS NULL)),
  ADD UNIQUE (program_id, adjustment_id),
  ADD FOREIGN KEY (program_id, adjustment_id) REFERENCES adjustments (program_id, id);

ALTER TABLE decisions
  DROP CONSTRAINT decisions_subject_check,
  ADD CHECK (subject IN ('lead', 'sale', 'refund', 'dispute', 'review', 'adjustment'));

-- migration 0011-payouts
-- Notes on payouts, scheduled drafts, legal details and statements.

ALTER TABLE payouts
  ADD COLUMN note text,
  ADD COLUMN reference text;
ALTER TABLE payout_lines
  ADD COLUMN note text;                         -- entered by the member who marked the line paid or failed

-- When drafts are prepared: at the start of these days in the program's time zone.
CREATE TABLE payout_schedules (
  program_id integer PRIMARY KEY REFERENCES programs,
  frequency text NOT NULL CHECK (frequency IN ('monthly', 'twice_monthly', 'weekly')),
  day integer,                                  -- of the month; twice a month adds the day 14 days later
  weekday integer CHECK (weekday BETWEEN 1 AND 7), -- 1 is Monday
  -- The latest scheduled day that is done, with or without a draft. Earlier days are never made up.
  last_period date NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((frequency = 'weekly') = (weekday IS NOT NULL) AND (frequency = 'weekly') = (day IS NULL)),
  CHECK (day BETWEEN 1 AND CASE frequency WHEN 'monthly' THEN 28 ELSE 14 END)
);

-- A scheduled proposal. It reserves nothing: confirming it creates a payout of what is payable at that moment.
CREATE TABLE payout_drafts (
  program_id integer NOT NULL REFERENCES programs,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  period date NOT NULL,                         -- the scheduled day, in the program's time zone
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'confirmed', 'discarded', 'replaced')),
  prepared_at timestamptz NOT NULL,
  payout_id bigint,
  decided_at timestamptz,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, period),
  FOREIGN KEY (program_id, payout_id) REFERENCES payouts (program_id, id),
  CHECK ((status = 'open') = (decided_at IS NULL)),
  CHECK ((status = 'confirmed') = (payout_id IS NOT NULL))
);
CREATE UNIQUE INDEX payout_drafts_open ON payout_drafts (program_id) WHERE status = 'open';

-- What was payable when the draft was prepared.
CREATE TABLE payout_draft_lines (
  program_id integer NOT NULL,
  draft_id bigint NOT NULL,
  partner_id integer NOT NULL,
  currency text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  PRIMARY KEY (program_id, draft_id, partner_id, currency),
  FOREIGN KEY (program_id, draft_id) REFERENCES payout_drafts (program_id, id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- Printed on statements: the merchant's details, and each partner's.
CREATE TABLE program_legal_details (
  program_id integer PRIMARY KEY REFERENCES programs,
  legal_name text NOT NULL,
  address text NOT NULL,
  tax_id text,
  email text,
  self_billing boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL
);
CREATE TABLE partner_legal_details (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  name text NOT NULL,
  company text,
  address text NOT NULL,
  tax_id text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- The latest statement number. A sequence would leave gaps after a rollback; this row is locked until the payout commits.
CREATE TABLE payout_statement_numbers (
  program_id integer PRIMARY KEY REFERENCES programs,
  last_number integer NOT NULL CHECK (last_number > 0)
);

-- One per payout line, written with it. The details are copies, so that later edits do not change a statement.
CREATE TABLE payout_statements (
  program_id integer NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  payout_line_id bigint NOT NULL,
  merchant jsonb,
  partner jsonb,
  self_billing boolean NOT NULL,
  PRIMARY KEY (program_id, number),
  UNIQUE (program_id, payout_line_id),
  FOREIGN KEY (program_id, payout_line_id) REFERENCES payout_lines (program_id, id)
);
REVOKE UPDATE, DELETE ON payout_statements FROM tributary_app;

-- How each commission contributes to a line; they add up to its reserved amount. Negative: a refund or other reversal of a commission
-- in an earlier payout.
CREATE TABLE payout_statement_items (
  program_id integer NOT NULL,
  payout_line_id bigint NOT NULL,
  commission_id bigint NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  earned_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, payout_line_id, commission_id),
  FOREIGN KEY (program_id, payout_line_id) REFERENCES payout_lines (program_id, id),
  FOREIGN KEY (program_id, commission_id) REFERENCES commissions (program_id, id)
);
CREATE INDEX payout_statement_items_of_commission ON payout_statement_items (program_id, commission_id);
REVOKE UPDATE, DELETE ON payout_statement_items FROM tributary_app;

-- migration 0012-branding
-- How a program presents itself to partners: its brand, its agreement, its resources and its application form.

CREATE TABLE program_branding (
  program_id integer PRIMARY KEY REFERENCES programs,
  display_name text,                            -- null: the program's name
  description text,
  accent_color text CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
  support_email text,
  logo bytea,
  logo_type text CHECK (logo_type IN ('image/png', 'image/jpeg', 'image/webp')),
  logo_hash text COLLATE "C",                   -- part of the logo's address, so that it can be cached forever
  CHECK (num_nonnulls(logo, logo_type, logo_hash) IN (0, 3))
);

-- The legal text that partners accept, not the reward terms. Every change is a new version.
CREATE TABLE program_agreements (
  program_id integer NOT NULL REFERENCES programs,
  version integer NOT NULL CHECK (version > 0),
  text text,                                    -- null: the program has no agreement from this version on
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, version)
);
REVOKE UPDATE, DELETE ON program_agreements FROM tributary_app;

CREATE TABLE agreement_acceptances (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  version integer NOT NULL,
  user_id text NOT NULL,                        -- who accepted; kept after the account is deleted
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id, version),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id),
  FOREIGN KEY (program_id, version) REFERENCES program_agreements (program_id, version)
);
REVOKE UPDATE, DELETE ON agreement_acceptances FROM tributary_app;

-- Files and texts for partners.
CREATE TABLE program_resources (
  program_id integer NOT NULL REFERENCES programs,
  id integer GENERATED BY DEFAULT AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('file', 'text')),
  title text NOT NULL,
  body text,
  file_name text,
  content_type text,
  size_bytes integer CHECK (size_bytes BETWEEN 1 AND 5242880),
  content bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  CHECK (CASE kind WHEN 'text' THEN body IS NOT NULL AND content IS NULL
    ELSE body IS NULL AND num_nonnulls(file_name, content_type, size_bytes, content) = 4 END)
);

-- Questions on the application page, and which applicants are approved automatically.
CREATE TABLE application_forms (
  program_id integer PRIMARY KEY REFERENCES programs,
  questions jsonb NOT NULL DEFAULT '[]',
  auto_approve jsonb                            -- null: a member decides on every application
);

-- What an applicant sent. The questions are copied, because the form can change.
CREATE TABLE partner_applications (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  answers jsonb NOT NULL DEFAULT '[]',
  websites text[] NOT NULL DEFAULT '{}',        -- hosts of the web addresses among the answers
  country text,                                 -- of the request
  confirmation_hash bytea,                      -- of the secret that was mailed to the applicant
  email_confirmed_at timestamptz,
  message text,                                 -- sent with the decision and shown in the portal
  decided_at timestamptz,
  applied_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);

-- migration 0013-notifications
-- What the team and partners are told, in the app and by email.

CREATE TABLE notifications (
  program_id integer NOT NULL REFERENCES programs,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  kind text NOT NULL,
  subject text NOT NULL,                        -- what it is about, with the period if it recurs
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  -- The same fact is never announced twice, whichever process notices it.
  UNIQUE (program_id, kind, subject)
);
CREATE INDEX notifications_by_age ON notifications (created_at);

-- Who gets it. There is no foreign key to users, so that accounts stay separate.
CREATE TABLE notification_recipients (
  program_id integer NOT NULL,
  notification_id bigint NOT NULL,
  user_id text NOT NULL,
  in_app boolean NOT NULL,
  read_at timestamptz,
  -- The email; null if there is none. `sending` is committed before the mail server is called. After a crash it becomes `unknown`,
  -- which is not sent again: the mail server may have accepted it.
  mail text CHECK (mail IN ('waiting', 'sending', 'sent', 'failed', 'unknown', 'skipped')),
  mail_at timestamptz,                          -- `waiting`: not before; otherwise since when
  attempts integer NOT NULL DEFAULT 0,
  mail_error text,                              -- the mail server's code, never its message, which repeats the address
  PRIMARY KEY (program_id, notification_id, user_id),
  FOREIGN KEY (program_id, notification_id) REFERENCES notifications (program_id, id) ON DELETE CASCADE,
  CHECK ((mail IS NULL) = (mail_at IS NULL))
);
CREATE INDEX notification_recipients_in_app ON notification_recipients (program_id, user_id, notification_id) WHERE in_app;
CREATE INDEX notification_recipients_to_mail ON notification_recipients (mail, mail_at) WHERE mail IN ('waiting', 'sending');

-- Only what differs from the defaults.
CREATE TABLE notification_preferences (
  program_id integer NOT NULL REFERENCES programs,
  user_id text NOT NULL,
  kind text NOT NULL,
  mail boolean NOT NULL,
  app boolean NOT NULL,
  frequency text CHECK (frequency IN ('weekly', 'monthly', 'off')), -- only for summaries
  PRIMARY KEY (program_id, user_id, kind)
);

-- migration 0014-saved-views
-- Lists: saved views, and indexes for their search.

-- Named filters, sort order and columns of a list. Only their owner sees those that are not shared.
CREATE TABLE saved_views (
  program_id integer NOT NULL REFERENCES programs,
  id integer GENERATED BY DEFAULT AS IDENTITY,
  list text NOT NULL CHECK (list IN ('partners', 'customers', 'sales', 'commissions', 'links', 'payouts')),
  name text NOT NULL,
  shared boolean NOT NULL,
  search jsonb NOT NULL,                        -- the list's parameters in the dashboard's address
  columns text[],                               -- null: the usual ones
  user_id text NOT NULL,                        -- the owner; no foreign key, so that accounts stay separate
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, user_id, list, name)
);
CREATE INDEX saved_views_shared ON saved_views (program_id, list) WHERE shared;

-- Finds customers by email address. A table of its own, because an index on `customers` would end its updates in place
-- (docs/decisions/0016). An address may belong to several customers.
CREATE TABLE customer_emails (
  program_id integer NOT NULL,
  email_hash bytea NOT NULL,                    -- keyed hash, as in `customers`
  click_id text NOT NULL COLLATE "C",
  PRIMARY KEY (program_id, email_hash, click_id)
);
INSERT INTO customer_emails (program_id, email_hash, click_id)
  SELECT program_id, email_hash, click_id FROM customers WHERE email_hash IS NOT NULL;

-- Part of a name, an address or a link is found through trigrams. Most Postgres servers have the extension. Without it, a search
-- reads all partners or links of the program, so nothing else depends on it.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX partners_by_text ON partners USING gin (name gin_trgm_ops, email gin_trgm_ops, code gin_trgm_ops);
    CREATE INDEX referral_links_by_text ON referral_links USING gin (aff gin_trgm_ops, destination_url gin_trgm_ops);
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'No permission to create the extension pg_trgm. Searching many partners will be slower.';
END $$;

-- migration 0015-analytics
-- Analytics: what the charts by hour, the funnel and the cohorts read (docs/decisions/0030).

-- Clicks by quarter hour, because time zones differ by quarter hours. Written by the roll-up, not by the click writers; readers
-- add the clicks since the watermark. Kept for 100 days.
CREATE TABLE hourly_clicks (
  program_id integer NOT NULL,
  day date NOT NULL,                            -- as in daily_counts, so that the hours of a day add up to its clicks
  quarter timestamptz NOT NULL,
  clicks bigint NOT NULL,
  PRIMARY KEY (program_id, day, quarter)
);
INSERT INTO hourly_clicks (program_id, day, quarter, clicks)
  SELECT program_id, day, date_bin('15 minutes', clicked_at, 'epoch'), count(*)
  FROM click_events JOIN roll_ups USING (program_id)
  WHERE clicked_at <= counted_until AND day > counted_until::date - 100 AND device IS DISTINCT FROM 'bot'
  GROUP BY 1, 2, 3;

-- Each customer's first sale that counts, as of the last roll-up of its day. When it is voided or an earlier one arrives, the
-- roll-up and readers find the days that change with it by comparing this with the sales.
CREATE TABLE first_sales (
  program_id integer NOT NULL,
  click_id text NOT NULL COLLATE "C",
  sale_id bigint NOT NULL,
  day date NOT NULL,
  PRIMARY KEY (program_id, click_id)
);
CREATE INDEX first_sales_by_day ON first_sales (program_id, day);

-- First sales and renewals of days that are not marked, by the month of the customer's first sale.
CREATE TABLE daily_customers (
  program_id integer NOT NULL,
  day date NOT NULL,
  cohort date NOT NULL,                         -- the first day of that month
  currency text NOT NULL,
  first_sales bigint NOT NULL,
  renewals bigint NOT NULL,
  first_cents bigint NOT NULL,
  renewal_cents bigint NOT NULL,
  PRIMARY KEY (program_id, day, cohort, currency)
);

-- How long the leads and first sales of a day took since the customer's first click.
CREATE TABLE daily_conversion_times (
  program_id integer NOT NULL,
  day date NOT NULL,
  step text NOT NULL CHECK (step IN ('lead', 'sale')),
  bucket smallint NOT NULL,                     -- its place in CONVERSION_TIMES (packages/contract)
  conversions bigint NOT NULL,
  PRIMARY KEY (program_id, day, step, bucket)
);

-- The roll-up has not seen these days yet.
INSERT INTO changed_days (program_id, day)
  SELECT program_id, day FROM sales WHERE click_id IS NOT NULL AND voided_at IS NULL
  UNION SELECT program_id, day FROM leads WHERE settled_at IS NOT NULL;

-- migration 0016-two-factor
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

-- migration 0017-portal
-- An owner can open the portal as a partner, read-only. The view belongs to the owner's own session and ends with it.

ALTER TABLE sessions
  ADD COLUMN viewed_program_id bigint,
  ADD COLUMN viewed_partner_id bigint,
  ADD COLUMN view_ends_at timestamptz,
  ADD CONSTRAINT sessions_whole_view CHECK (num_nulls(viewed_program_id, viewed_partner_id, view_ends_at) IN (0, 3));

-- migration 0018-outbox
-- Events for the merchant's own systems: webhooks and GET /api/v1/events. Each is written in the transaction of its change.

CREATE TABLE outbox_events (
  program_id integer NOT NULL,
  -- In order of cause: what begins after another transaction has committed gets a higher ID. IDs can have gaps.
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  data json NOT NULL,                           -- the object after the change, as receivers get it
  changes json,                                 -- { field: [before, after] }; null if the object is new
  customer json,                                -- only for endpoints that ask for customer data; erasure clears it
  customer_key text COLLATE "C",                -- the key in `data`, so that erasure finds it
  -- Given after the commit, in the order of IDs, without gaps. Null until then (docs/decisions/0038).
  sequence bigint CHECK (sequence > 0),
  PRIMARY KEY (program_id, id)
);
CREATE INDEX outbox_events_unsequenced ON outbox_events (program_id, id) WHERE sequence IS NULL;
CREATE UNIQUE INDEX outbox_events_by_sequence ON outbox_events (program_id, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX outbox_events_of_customer ON outbox_events (program_id, customer_key) WHERE customer_key IS NOT NULL;

-- The last sequence of each program. Its lock makes sequencers of one program wait for each other.
CREATE TABLE outbox_heads (
  program_id integer NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  kept_after bigint NOT NULL DEFAULT 0,         -- events up to this sequence have been deleted
  payable_until timestamptz NOT NULL DEFAULT now(), -- ended hold periods have been announced up to here
  PRIMARY KEY (program_id)
);

-- Commissions whose hold period has ended and was announced. Receivers see `held` until then.
CREATE TABLE outbox_payable (
  program_id integer NOT NULL,
  commission_id bigint NOT NULL,
  PRIMARY KEY (program_id, commission_id)
);
-- Finds commissions whose hold period has just ended. Commissions are created in about this order, so that a small index does.
CREATE INDEX commissions_by_payable_at ON commissions USING brin (program_id, payable_at);

-- migration 0019-webhooks
-- Endpoints that receive the events of a program, and what was sent to them.

CREATE TABLE webhook_endpoints (
  program_id integer NOT NULL REFERENCES programs,
  id integer GENERATED BY DEFAULT AS IDENTITY,
  url text NOT NULL,
  events text[] NOT NULL,                       -- types, or {*}
  description text,
  include_customer_data boolean NOT NULL,
  ordered boolean NOT NULL,                     -- one delivery at a time, by sequence
  format text NOT NULL CHECK (format IN ('standard', 'slack', 'discord')),
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text CHECK (disabled_reason IN ('member', 'gone', 'failing')),
  disabled_at timestamptz,
  deleted_at timestamptz,                       -- kept for its deliveries, without its secrets
  secret bytea,                                 -- sealed
  secret_set_at timestamptz NOT NULL,
  previous_secret bytea,                        -- also signs until then
  previous_secret_until timestamptz,
  last_delivered_at timestamptz,
  failing_since timestamptz,                    -- first failure since the last success
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, id),
  CHECK (enabled = (disabled_at IS NULL) AND enabled = (disabled_reason IS NULL)),
  CHECK ((deleted_at IS NULL) = (secret IS NOT NULL) AND (deleted_at IS NULL OR NOT enabled)),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);

-- One row per endpoint and event. While a worker sends it, `lease` names the worker's claim and `next_attempt_at` is when another
-- worker may take over, so that a crash delays a delivery but never loses it.
CREATE TABLE webhook_deliveries (
  program_id integer NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  endpoint_id integer NOT NULL,
  event_id bigint NOT NULL,                     -- in outbox_events, which may expire earlier
  sequence bigint NOT NULL,
  type text NOT NULL,
  -- The `webhook-id` header. Random, because numbers are used again after a restore and receivers would drop the new event.
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,             -- attempts since it was last sent by hand: the position in the schedule
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  lease uuid,
  created_at timestamptz NOT NULL,
  delivered_at timestamptz,
  PRIMARY KEY (program_id, id),
  UNIQUE (program_id, endpoint_id, event_id),
  FOREIGN KEY (program_id, endpoint_id) REFERENCES webhook_endpoints (program_id, id),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL) AND (state = 'pending' OR lease IS NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (program_id, endpoint_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (program_id, endpoint_id, sequence) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_in_flight ON webhook_deliveries (program_id, endpoint_id) WHERE lease IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (program_id, id) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (program_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);

CREATE TABLE webhook_attempts (
  program_id integer NOT NULL,
  delivery_id bigint NOT NULL,
  number integer NOT NULL,
  attempted_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  url text NOT NULL,
  signature text NOT NULL,
  status integer,
  error text,                                   -- a code; null if it succeeded
  response text,                                -- the first KB of the answer
  PRIMARY KEY (program_id, delivery_id, number),
  FOREIGN KEY (program_id, delivery_id) REFERENCES webhook_deliveries (program_id, id) ON DELETE CASCADE
);

-- migration 0020-lists
-- Indexes of reward terms, and what the portal's hours and the customers' net value read.

-- Terms are read by owner: a partner's, a group's or the program's, the latest version first.
CREATE INDEX reward_terms_by_owner ON reward_terms (program_id, partner_id, group_id, version DESC);
CREATE INDEX reward_terms_limited ON reward_terms (program_id) WHERE sale_duration IN ('first', 'months');
-- The check that tells partners about changed terms reads the moves of the last days.
CREATE INDEX partner_group_changes_by_age ON partner_group_changes (valid_from);

-- Clicks of a partner by quarter hour, like hourly_clicks. Kept for 35 days.
CREATE TABLE hourly_partner_clicks (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  day date NOT NULL,
  quarter timestamptz NOT NULL,
  clicks bigint NOT NULL,
  PRIMARY KEY (program_id, partner_id, day, quarter)
);
CREATE INDEX hourly_partner_clicks_by_day ON hourly_partner_clicks (program_id, day);
INSERT INTO hourly_partner_clicks (program_id, partner_id, day, quarter, clicks)
  SELECT program_id, partner_id, day, date_bin('15 minutes', clicked_at, 'epoch'), count(*)
  FROM click_events JOIN roll_ups USING (program_id)
  WHERE clicked_at <= counted_until AND day > counted_until::date - 35 AND device IS DISTINCT FROM 'bot'
  GROUP BY 1, 2, 3, 4;

-- Refunds and lost disputes of the sales of a day that is not marked, by the month of the customer's first sale.
CREATE TABLE daily_refunds (
  program_id integer NOT NULL,
  day date NOT NULL,
  cohort date NOT NULL,                         -- the first day of that month
  currency text NOT NULL,
  refunded_cents bigint NOT NULL,
  PRIMARY KEY (program_id, day, cohort, currency)
);

-- Days whose sales have new refunds or disputes. Apart from changed_days, because only the customers' value depends on them.
CREATE TABLE refunded_days (
  program_id integer NOT NULL,
  day date NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  PRIMARY KEY (program_id, day, id)
);
INSERT INTO refunded_days (program_id, day)
  SELECT DISTINCT sale.program_id, sale.day FROM sales sale
  WHERE EXISTS (SELECT FROM refunds WHERE refunds.program_id = sale.program_id AND refunds.sale_id = sale.id)
    OR EXISTS (SELECT FROM processor_refunds WHERE processor_refunds.program_id = sale.program_id AND processor_refunds.sale_id = sale.id)
    OR EXISTS (SELECT FROM disputes WHERE disputes.program_id = sale.program_id AND disputes.sale_id = sale.id);

-- migration 0021-shard-boundary
-- Users and workspaces may be in another database than the programs of a workspace (docs/decisions/0043), so no foreign key leads
-- from one to the other. Nothing deletes a user, a workspace or a program.

ALTER TABLE programs DROP CONSTRAINT programs_workspace_id_fkey;
ALTER TABLE partner_users DROP CONSTRAINT partner_users_user_id_fkey;
ALTER TABLE processor_home_programs DROP CONSTRAINT processor_home_programs_workspace_id_fkey;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_workspace_id_fkey;
ALTER TABLE api_keys DROP CONSTRAINT api_keys_program_id_fkey;
ALTER TABLE demo_seed DROP CONSTRAINT demo_seed_program_id_fkey;

-- migration 0022-names
-- Names that lead to a program before it is known, in the directory (docs/decisions/0043). A row is written before what it
-- names and never deleted: the directory may lead to a program too many, never to one too few.

-- The program of a link. A click knows only the link's `aff`.
CREATE TABLE link_names (
  aff text PRIMARY KEY COLLATE "C",
  program_id integer NOT NULL
);

-- Who has or had a code, and since when: a click's `aff` may be a code too. Several programs may have the same one.
CREATE TABLE partner_codes (
  code text NOT NULL COLLATE "C",
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (code, program_id)
);

-- The programs in which a user may sign in as a partner; `partner_users` says whether and as whom.
CREATE TABLE partner_sign_ins (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  program_id integer NOT NULL,
  PRIMARY KEY (user_id, program_id)
);

INSERT INTO link_names SELECT aff, program_id FROM referral_links WHERE program_id IS NOT NULL;
INSERT INTO partner_codes
  SELECT partner.code, partner.program_id, partner.id, greatest(partner.created_at, (
    SELECT max(former.created_at) FROM partner_former_codes former
    WHERE former.program_id = partner.program_id AND former.partner_id = partner.id))
  FROM partners partner
  UNION ALL SELECT code, program_id, partner_id, created_at FROM partner_former_codes;
INSERT INTO partner_sign_ins SELECT user_id, program_id FROM partner_users JOIN users ON users.id = user_id;

DROP INDEX partners_by_code;
DROP INDEX partner_former_codes_by_code;
