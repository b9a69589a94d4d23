import { optionalPageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { acceptPartnerInvitationRequest, portalApplyRequest, portalProgram, portalView } from './portal.ts'

/** The programs a partner belongs to, and how they join another. */
export const PORTAL_PROGRAMS = operations({
  view: {
    method: 'get',
    path: '/api/portal/view',
    caller: 'partner',
    summary: 'Get the current view',
    description: 'Returns the partner that an owner is viewing the portal as, or null.',
    answer: portalView.nullable(),
  },
  list: {
    method: 'get',
    path: '/api/portal/programs',
    caller: 'partner',
    summary: 'List your programs',
    description: 'Lists the programs where the signed-in user is a partner, with their status and reward terms.',
    query: optionalPageQuery,
    list: portalProgram,
  },
  accept: {
    method: 'post',
    path: '/api/portal/invitations/{invitationId}/accept',
    caller: 'partner',
    summary: 'Accept a partner invitation',
    description: 'Accepts an invitation with the signed-in account, whose email address must be the invited one.',
    request: acceptPartnerInvitationRequest,
    example: {},
    bodyIsOptional: true,
    answer: portalProgram,
    errors: ['forbidden', 'conflict'],
  },
  apply: {
    method: 'post',
    path: '/api/portal/programs/{programId}/apply',
    caller: 'partner',
    isOpenToApplicants: true,
    summary: 'Apply with your account',
    description: 'Applies to a program with the signed-in account. The partner starts as `pending`.',
    request: portalApplyRequest,
    example: {},
    bodyIsOptional: true,
    status: 201,
    answer: portalProgram,
    errors: ['conflict'],
  },
})
