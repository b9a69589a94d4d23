-- Payments whose metadata states the merchant's invoice ID.

CREATE INDEX payment_reports_of_stated_invoice ON payment_reports (program_id, (report->>'invoiceId'))
  WHERE report->>'invoiceId' IS NOT NULL;
