import { operations } from '../openapi/declaration.ts'
import {
  invitePartnerRequest,
  openPartnerInvitation,
  partnerInvitation,
  partnerView,
  partnerViewEnded,
  signInsRemoved,
} from './portal.ts'

const PARTNER = '/api/programs/{programId}/partners/{partnerId}'

/** What a member decides about a partner's access to the portal. */
export const PORTAL_ACCESS = operations({
  invite: {
    method: 'post',
    path: `${PARTNER}/invite`,
    permission: 'partner:manage',
    summary: 'Invite a partner',
    description:
      'Creates a link with which the partner creates a sign-in for the portal, and emails it if the instance has a mail server. An open invitation of the same partner stops working. Inviting another address, or a partner who already has a sign-in, requires `payout:manage`.',
    request: invitePartnerRequest,
    example: { email: 'maya@example.com' },
    bodyIsOptional: true,
    status: 201,
    answer: partnerInvitation,
  },
  removeSignIns: {
    method: 'delete',
    path: `${PARTNER}/sign-in`,
    permission: 'payout:manage',
    summary: "Remove a partner's sign-in",
    description:
      'The partner cannot sign in until you invite them again. Open invitations end, and payouts to the partner are paused for 48 hours: payment files leave them out.',
    answer: signInsRemoved,
  },
  startView: {
    method: 'post',
    path: `${PARTNER}/view`,
    permission: 'program:read',
    summary: 'View the portal as a partner',
    description:
      'For owners only. For 30 minutes, every portal call of this session reads the data of this partner; changes are rejected with `read_only_view` and payout details are masked. The view also ends when you sign out or are no longer an owner. If the workspace requires two-factor sign-in, so does a view. Each start is in the audit log.',
    status: 201,
    answer: partnerView,
    errors: ['two_factor_required'],
  },
  endView: {
    method: 'delete',
    path: `${PARTNER}/view`,
    permission: 'program:read',
    summary: 'Exit the view as a partner',
    description: 'Ends the view of this session. Repeating it has no effect.',
    answer: partnerViewEnded,
  },
})

export const PARTNER_INVITATIONS = operations({
  get: {
    method: 'get',
    path: '/api/public/partner-invitations/{invitationId}',
    caller: 'public',
    limit: 'visitor',
    summary: 'Get a partner invitation',
    description:
      'Shows who an invitation is for before the partner has an account. The ID in the link is the only credential.',
    answer: openPartnerInvitation,
  },
})
