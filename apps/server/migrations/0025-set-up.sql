-- Where a test event came from. The dashboard's own checks must not count as proof that the merchant's side works.
-- Null: recorded before this was kept. A test click or a lead without a key may have been the dashboard's button, so it proves nothing.
ALTER TABLE test_events ADD COLUMN origin text CHECK (origin IN ('dashboard', 'browser', 'server', 'processor'));
UPDATE test_events SET origin = CASE
  WHEN event_type = 'lead' AND details ->> 'from' = 'server' THEN 'server'
  WHEN event_type = 'sale' AND details ? 'references' THEN 'processor'
  WHEN event_type = 'sale' THEN 'server'
END;
CREATE INDEX test_events_by_origin ON test_events (program_id, event_type, origin, id);

-- The set-up page shows when each type of processor event was last received.
CREATE INDEX processor_events_by_type ON processor_events (program_id, type, received_at);

-- A program's first terms, applied on request to the leads and sales before them. Runs one customer per transaction, in the
-- order of click_id, so that an interrupted run continues where it stopped.
CREATE TABLE reward_backfills (
  program_id integer NOT NULL,
  terms_version integer NOT NULL,
  requested_by text NOT NULL,                   -- the user; accounts are separate, so no foreign key
  requested_at timestamptz NOT NULL,            -- events up to this time are covered
  last_click_id text NOT NULL COLLATE "C" DEFAULT '',
  leads integer NOT NULL DEFAULT 0,             -- that earned a commission
  sales integer NOT NULL DEFAULT 0,
  earned jsonb NOT NULL DEFAULT '{}',           -- cents by currency, after refunds
  finished_at timestamptz,
  PRIMARY KEY (program_id),
  FOREIGN KEY (program_id, terms_version) REFERENCES reward_terms (program_id, version)
);
CREATE INDEX reward_backfills_open ON reward_backfills (program_id) WHERE finished_at IS NULL;
