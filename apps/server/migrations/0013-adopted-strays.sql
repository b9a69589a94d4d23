-- An event that came before anybody had connected its account goes to the workspace that connects it, once.
ALTER TABLE processor_strays ADD COLUMN adopted_at timestamptz;
CREATE INDEX processor_strays_to_adopt ON processor_strays (account_id) WHERE adopted_at IS NULL;
GRANT UPDATE (adopted_at) ON processor_strays TO tributary_app;
