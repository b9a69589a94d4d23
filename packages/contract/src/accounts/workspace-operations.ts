import { pageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { me } from './accounts.ts'
import {
  changeMemberRequest,
  createInvitationRequest,
  createWorkspaceRequest,
  invitation,
  invitationsQuery,
  member,
  membersQuery,
  newInvitation,
  openInvitation,
  workspace,
  workspaceSecurityRequest,
} from './workspaces.ts'

export const ME = operations({
  get: {
    method: 'get',
    path: '/api/me',
    summary: 'Get the signed-in user',
    description:
      'Returns the user, the workspaces they belong to (with role, permissions and programs), and the programs where they are a partner.',
    answer: me,
  },
})

export const WORKSPACES = operations({
  create: {
    method: 'post',
    path: '/api/workspaces',
    summary: 'Create a workspace',
    description:
      'Creates a workspace with the caller as its owner. Unless `OPEN_SIGNUP=true`, only the first account and members who may invite others can create one.',
    request: createWorkspaceRequest,
    example: { name: 'Acme' },
    status: 201,
    answer: workspace,
    errors: ['forbidden'],
  },
  list: {
    method: 'get',
    path: '/api/workspaces',
    summary: 'List workspaces',
    description: 'Lists the workspaces the signed-in user belongs to, with their role and permissions in each.',
    query: pageQuery,
    list: workspace,
  },
})

export const WORKSPACE_SECURITY = operations({
  change: {
    method: 'put',
    path: '/api/workspaces/{workspaceId}/security',
    summary: 'Update security settings',
    description:
      'Requires two-factor sign-in for everything that needs `payout:manage`, and for partners who change their payout details. Only owners who signed in with a second factor themselves can change it.',
    request: workspaceSecurityRequest,
    example: { requireTwoFactor: true },
    answer: workspace,
    errors: ['two_factor_required'],
  },
})

const MEMBER_LIST = '/api/workspaces/{workspaceId}/members'
const MEMBER = `${MEMBER_LIST}/{memberId}` as const

export const MEMBERS = operations({
  list: {
    method: 'get',
    path: MEMBER_LIST,
    permission: 'program:read',
    summary: 'List members',
    description: 'Lists the people in a workspace and their roles.',
    query: membersQuery,
    list: member,
  },
  change: {
    method: 'patch',
    path: MEMBER,
    permission: 'member:manage',
    summary: "Update a member's role",
    description: 'A workspace always keeps at least one owner: demoting the last one is a 409.',
    request: changeMemberRequest,
    example: { role: 'admin' },
    answer: member,
    errors: ['conflict'],
  },
  remove: {
    method: 'delete',
    path: MEMBER,
    permission: 'member:manage',
    summary: 'Remove a member',
    description:
      'Removes a member from the workspace; it can be yourself. Only an owner can remove an owner, and the last owner cannot be removed.',
    answer: member,
    errors: ['conflict'],
  },
})

const INVITATION_LIST = '/api/workspaces/{workspaceId}/invitations'

/** Invitations of members, for those who invite. */
export const INVITATIONS = operations({
  create: {
    method: 'post',
    path: INVITATION_LIST,
    permission: 'member:manage',
    summary: 'Invite a member',
    description:
      'Creates an invitation link and emails it if the instance has a mail server. Inviting the same address with the same role again sends the same link; with another role it replaces the invitation.',
    request: createInvitationRequest,
    example: { email: 'ada@example.com', role: 'member' },
    status: 201,
    answer: newInvitation,
    errors: ['conflict'],
  },
  list: {
    method: 'get',
    path: INVITATION_LIST,
    permission: 'member:manage',
    summary: 'List invitations',
    description: "Lists the workspace's member invitations in every status.",
    query: invitationsQuery,
    list: invitation,
  },
  cancel: {
    method: 'delete',
    path: `${INVITATION_LIST}/{invitationId}`,
    permission: 'member:manage',
    summary: 'Cancel an invitation',
    description: 'The link stops working immediately.',
    answer: invitation,
  },
})

/** For those who have the link. Its ID is the only credential. */
export const INVITATION_LINKS = operations({
  get: {
    method: 'get',
    path: '/api/invitations/{invitationId}',
    caller: 'public',
    limit: 'visitor',
    summary: 'Get an invitation',
    description:
      'Shows who an invitation is for before the recipient signs in. The ID in the link is the only credential.',
    answer: openInvitation,
  },
  accept: {
    method: 'post',
    path: '/api/invitations/{invitationId}/accept',
    summary: 'Accept an invitation',
    description: 'Adds the signed-in user to the workspace. Their email address must be the invited one.',
    answer: workspace,
    errors: ['forbidden'],
  },
})
