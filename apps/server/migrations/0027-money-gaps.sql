-- A customer whose lead a browser settled can be confirmed by another click of the same partner. That click is no evidence for sales
-- made before it: they stay unverified (docs/decisions/0023). Null: the browser's own click was named, and all sales are verified.
ALTER TABLE leads
  ADD COLUMN confirmed_since timestamptz,
  ADD CHECK (confirmed_since IS NULL OR confirmed_at IS NOT NULL);

-- A review may have several reasons: `reason` is the first, these are the others. Those that went away are removed.
ALTER TABLE commission_reviews ADD COLUMN further_reasons text[] NOT NULL DEFAULT '{}';

-- Customers who were erased while the program's first terms could still be applied to them (docs/decisions/0009): whether they had a
-- lead, and when they made the first sale. It counts as paid once the first terms of the program are applied to earlier events.
ALTER TABLE erased_customers
  ADD COLUMN lead_unpaid boolean NOT NULL DEFAULT false,
  ADD COLUMN unpaid_sold_at timestamptz;
ALTER TABLE leads
  ADD COLUMN unpaid_before boolean NOT NULL DEFAULT false,
  ADD COLUMN unpaid_sold_before timestamptz;

-- Of an erased customer with the key that the sale names, who may have no lead any more.
ALTER TABLE sales
  ADD COLUMN first_sold_before timestamptz,
  ADD COLUMN unpaid_sold_before timestamptz;

-- The service only reads which migrations ran and which program is the demo. The owner migrates and writes the demo at the start.
REVOKE INSERT, UPDATE, DELETE ON kysely_migration, kysely_migration_lock, demo_seed FROM tributary_app;
