-- Sales are stored without tax. This is the amount with tax, if the merchant stated a tax; the merchant's refunds are shares of it.
ALTER TABLE sales ADD COLUMN gross_cents bigint CHECK (gross_cents > 0);
-- A payment can be all tax.
ALTER TABLE sales DROP CONSTRAINT sales_amount_cents_check;
ALTER TABLE sales ADD CONSTRAINT sales_amount_cents_check CHECK (amount_cents > 0 OR (amount_cents = 0 AND gross_cents IS NOT NULL));
