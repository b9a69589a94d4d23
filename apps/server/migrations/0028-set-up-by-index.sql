-- The set-up page looks for the latest lead and sale of each kind. Without these, a kind that never came costs a look at every row.
CREATE INDEX leads_by_settler ON leads (program_id, settled_by, settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX sales_by_reporter ON sales (program_id, reported_by, sold_at);
