-- What the erasure of a customer changes of what a processor has said (decision 9). The service itself may still not rewrite
-- a report or an event; it may do these three things, each of which can be told afterwards.

ALTER TABLE processor_events ADD COLUMN redacted_at timestamptz; -- since when the payload is without the person
ALTER TABLE processor_strays ADD COLUMN redacted_at timestamptz;

CREATE INDEX payment_reports_of_customer ON payment_reports (program_id, (report->'attribution'->>'customerKey'))
  WHERE report->'attribution'->>'customerKey' IS NOT NULL;
CREATE INDEX processor_events_of_report ON processor_events (program_id, report_id) WHERE report_id IS NOT NULL;

-- In the place of the key a token, in a report that has a key. Amounts, names of payments and times are out of reach.
CREATE FUNCTION forget_payer(of_program integer, of_report bigint, token text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF token IS NULL OR token !~ '^erased_[\w-]{20,}$' THEN RAISE EXCEPTION 'a key is replaced by a token only'; END IF;
  UPDATE payment_reports SET report = jsonb_set(report, '{attribution,customerKey}', to_jsonb(token))
  WHERE program_id = of_program AND id = of_report AND report->'attribution'->>'customerKey' IS NOT NULL;
END $$;

-- A payload that is not as it came always says so.
CREATE FUNCTION redact_event(of_program integer, of_event bigint, redacted bytea, at timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE processor_events SET payload = redacted, redacted_at = coalesce(at, now()) WHERE program_id = of_program AND id = of_event
$$;
CREATE FUNCTION redact_stray(of_event text, redacted bytea, at timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE processor_strays SET payload = redacted, redacted_at = coalesce(at, now()) WHERE event_id = of_event
$$;

REVOKE EXECUTE ON FUNCTION forget_payer, redact_event, redact_stray FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_payer, redact_event, redact_stray TO tributary_app;
