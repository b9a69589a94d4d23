-- An account that is nobody's has its row as well: whoever connects it, lets go of it or keeps an event of it holds that row.
ALTER TABLE processor_accounts ALTER COLUMN workspace_id DROP NOT NULL;
