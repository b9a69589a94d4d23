-- One person is one partner of a program: two applications at once had made them two. Whoever was made two stays the one that
-- the merchant works with: approved before not, with links before without, then the older. The other stays in the list of
-- partners, without an account, and the audit log names it.
LOCK TABLE partner_users IN SHARE ROW EXCLUSIVE MODE;
WITH ranked AS (
  SELECT partner_users.program_id, partner_id, user_id, row_number() OVER (
    PARTITION BY partner_users.program_id, user_id
    ORDER BY partner.status = 'approved' DESC,
      EXISTS (SELECT FROM referral_links AS link WHERE link.program_id = partner.program_id AND link.partner_id = partner.id) DESC,
      partner.id
  ) AS place
  FROM partner_users JOIN partners AS partner ON (partner.program_id, partner.id) = (partner_users.program_id, partner_id)
), removed AS (
  DELETE FROM partner_users USING ranked
  WHERE (partner_users.program_id, partner_users.partner_id, partner_users.user_id)
      = (ranked.program_id, ranked.partner_id, ranked.user_id) AND place > 1
  RETURNING partner_users.program_id, partner_users.partner_id, partner_users.user_id
)
INSERT INTO audit_entries (program_id, action, subject, before, created_at)
  SELECT program_id, 'account of partner removed', 'partner ' || partner_id, jsonb_build_object('userId', user_id), now() FROM removed;
ALTER TABLE partner_users ADD CONSTRAINT partner_users_one_partner UNIQUE (program_id, user_id);
