-- Customers known by the payment processor's ID, and endpoints that a merchant's API key created.

ALTER TABLE processor_connections
  ADD COLUMN endpoint_id text,                  -- at the processor; null if the merchant manages the endpoint
  ADD COLUMN endpoint_events text[];            -- the event types that it is subscribed to

-- Every customer that a processor has named. Payments lock the row before they look for each other, so that the one that binds the customer
-- and those that wait for it cannot miss each other.
CREATE TABLE processor_customers (
  program_id integer NOT NULL REFERENCES programs, -- the workspace's inbox program, like the payments
  customer_id text NOT NULL COLLATE "C",        -- the processor's ID, with the namespace of processor and account
  bound_program_id integer,                     -- the record that the customer's first credited payment or click belongs to
  click_id text COLLATE "C",
  bound_at timestamptz,
  PRIMARY KEY (program_id, customer_id),
  CHECK (num_nonnulls(bound_program_id, click_id, bound_at) IN (0, 3))
);

CREATE INDEX payment_reports_of_processor_customer ON payment_reports (program_id, (report->>'customerId'))
  WHERE report->>'customerId' IS NOT NULL;

-- A customer that only the processor knows has no key and no lead.
ALTER TABLE customers DROP CONSTRAINT customers_check;
ALTER TABLE customers ADD CONSTRAINT customers_check CHECK (
  CASE customer_status WHEN 'click' THEN customer_key IS NULL WHEN 'lead' THEN customer_key IS NOT NULL ELSE true END);
