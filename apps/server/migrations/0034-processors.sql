-- Several payment processors per program.

ALTER TABLE processor_connections ADD COLUMN processor text NOT NULL DEFAULT 'stripe' COLLATE "C";
ALTER TABLE processor_connections
  ALTER COLUMN processor DROP DEFAULT,
  ADD COLUMN next_secret bytea,                 -- accepted beside the current one; its first use makes it the current one
  ADD COLUMN api_key bytea,                     -- of the merchant, encrypted like the secrets; lists events that never arrived
  DROP CONSTRAINT processor_connections_pkey,
  ADD PRIMARY KEY (program_id, processor);

-- `scope`: the account within which the processor's IDs are unique, such as a store with numeric IDs. Empty if they are unique across
-- accounts. References of payments carry processor and scope in their text where an ID could belong to someone else
-- (processor/translate-event.ts), so that those already stored stay as they are.
ALTER TABLE processor_events
  ADD COLUMN scope text NOT NULL DEFAULT '' COLLATE "C",
  ADD COLUMN endpoint_program_id integer, -- a program of the workspace; null: the platform's endpoint, or received before this column
  DROP CONSTRAINT processor_events_program_id_event_id_key,
  ADD UNIQUE (program_id, event_id, processor, scope);
-- Processors share names of types. The list of events filters by type alone.
DROP INDEX processor_events_by_type;
CREATE INDEX processor_events_by_type ON processor_events (program_id, type, processor, received_at);
