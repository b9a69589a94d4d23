-- "Why not?" looks for a payment among the messages that came to no report as well. Most of those say nothing about a payment.
CREATE INDEX processor_events_without_report ON processor_events (program_id, id)
  WHERE report_id IS NULL AND reason <> 'other_event';
