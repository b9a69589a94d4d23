-- Each partner has a link named after their code, as new partners get it. It is the link that the first click on the code would have
-- created, so no value leads anywhere else than before: not where another partner had the code first or has a link with it, in any
-- letter case, and not where the merchant disabled all links of the partner. Clicks on codes always had links, so figures stay.
INSERT INTO referral_links (aff, program_id, partner_id, created_at)
SELECT partner.code, partner.program_id, partner.id, now() FROM partners partner
WHERE (partner.program_id, partner.id) = (
    SELECT first.program_id, first.partner_id FROM partner_codes first WHERE lower(first.code) = lower(partner.code)
    ORDER BY first.since, first.program_id, first.partner_id LIMIT 1)
  AND NOT EXISTS (
    SELECT FROM referral_links other WHERE lower(other.aff) = lower(partner.code) AND other.program_id IS NOT NULL
      AND (other.program_id, other.partner_id) IS DISTINCT FROM (partner.program_id, partner.id))
  AND (
    NOT EXISTS (SELECT FROM referral_links own WHERE (own.program_id, own.partner_id) = (partner.program_id, partner.id))
    OR EXISTS (
      SELECT FROM referral_links own WHERE (own.program_id, own.partner_id) = (partner.program_id, partner.id) AND own.active))
ORDER BY partner.program_id, partner.id
ON CONFLICT (aff) DO NOTHING;
