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
