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
