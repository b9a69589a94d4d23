-- Reward rules with conditions, stages and maximums, and items of sales.

ALTER TABLE reward_terms
  -- A list of rules instead of one percentage or amount. Null: the columns `sale_…` say what a sale pays.
  ADD COLUMN sale_rules jsonb CHECK (jsonb_typeof(sale_rules) = 'array'),
  -- What a commission depends on besides its own sale: which sale of the customer was first, or what the others have earned.
  ADD COLUMN looks_at text CHECK (looks_at IN ('first_sale', 'all_sales')),
  ADD CHECK (sale_rules IS NULL OR sale_duration IS NULL);
UPDATE reward_terms SET looks_at = 'first_sale' WHERE sale_duration IN ('first', 'months');
DROP INDEX reward_terms_limited;
CREATE INDEX reward_terms_looking ON reward_terms (program_id, looks_at) WHERE looks_at IS NOT NULL;

ALTER TABLE sales
  -- {"totalCents", "parts": [{"productId", "planId", "interval", "amountCents"}]}; null if nothing is known about what was sold.
  ADD COLUMN items jsonb CHECK (jsonb_typeof(items) = 'object'),
  -- Of the lead's click, kept once a rule has looked at it, because clicks are not kept for ever. Empty: unknown.
  ADD COLUMN click_country text;

-- How much of a sale's commission was lost, from when: a maximum per customer counts what was left at the time of each later sale.
-- Rows never change.
CREATE TABLE commission_losses (
  program_id integer NOT NULL,
  commission_id bigint NOT NULL,
  number integer NOT NULL,
  lost_at timestamptz NOT NULL,
  sale_cents bigint NOT NULL,
  lost_cents bigint NOT NULL,                   -- refunded, and lost in disputes
  is_over boolean NOT NULL,                     -- rejected, voided, merged or another partner's: all of it is lost
  PRIMARY KEY (program_id, commission_id, number),
  FOREIGN KEY (program_id, commission_id) REFERENCES commissions (program_id, id)
);
REVOKE UPDATE, DELETE ON commission_losses FROM tributary_app;
