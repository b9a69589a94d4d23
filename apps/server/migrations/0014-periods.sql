-- Where thousands of links are clicked every day, a month of partners or links is hundreds of thousands of daily counts, and
-- a page cannot wait for their sum. What follows is kept beside the counts (events/period-sums.ts, rankings.ts, open-days.ts);
-- of an older database it is made in the background, and read once it is there.

-- What each link brought within the periods that the overview offers, up to roll_ups.summed_day: 7, 30 or 90 days, of which
-- the last is the day after it, or all (0). As of roll_ups.counted_until, like the other roll-ups.
CREATE TABLE period_counts (
  program_id integer NOT NULL,
  days smallint NOT NULL CHECK (days IN (0, 7, 30, 90)),
  link_id integer NOT NULL,
  partner_id integer NOT NULL,
  clicks bigint NOT NULL,
  leads bigint NOT NULL,
  sales bigint NOT NULL,
  PRIMARY KEY (program_id, days, link_id, partner_id)
) WITH (fillfactor = 70);

CREATE TABLE period_money (
  program_id integer NOT NULL,
  days smallint NOT NULL CHECK (days IN (0, 7, 30, 90)),
  link_id integer NOT NULL,
  currency text NOT NULL,
  revenue_cents bigint NOT NULL,
  commission_cents bigint NOT NULL,
  PRIMARY KEY (program_id, days, link_id, currency)
) WITH (fillfactor = 70);

ALTER TABLE roll_ups
  ADD COLUMN summed_day date,                    -- null: no day is in the sums yet
  ADD COLUMN rows_lately integer NOT NULL DEFAULT 0; -- of daily_counts a day: whether the sums are worth their detour

-- The first of the partners or links of a period, as of `counted_until`. Whatever is not among them had no more than the last.
CREATE TABLE rankings (
  program_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('partner', 'link')),
  sort text NOT NULL CHECK (sort IN ('clicks', 'leads', 'sales')),
  days smallint NOT NULL CHECK (days IN (0, 7, 30, 90)),
  first_day date NOT NULL,
  last_day date NOT NULL,
  counted_until timestamptz NOT NULL,
  entries jsonb NOT NULL,
  PRIMARY KEY (program_id, kind, sort, days)
);

-- What all links together brought on the days that are not over, as of `counted_until`.
CREATE TABLE open_days (
  program_id integer NOT NULL,
  day date NOT NULL,
  clicks bigint NOT NULL,
  leads bigint NOT NULL,
  sales bigint NOT NULL,
  counted_until timestamptz NOT NULL,
  PRIMARY KEY (program_id, day)
);

-- A partner's own days are read link by link.
CREATE INDEX referral_links_of_partner ON referral_links (program_id, partner_id);
