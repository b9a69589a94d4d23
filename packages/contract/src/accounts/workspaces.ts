import { z } from 'zod'
import { mailedFlag, plainText, timestamp } from '../fields.ts'
import { pageQuery, searchText, sortedBy } from '../lists.ts'
import { PERMISSIONS, ROLES } from '../names.ts'

const invitableRole = z.enum(ROLES).exclude(['owner'])
export type InvitableRole = z.infer<typeof invitableRole>
const invitationStatus = z.enum(['pending', 'accepted', 'rejected', 'canceled', 'expired'])
export type InvitationStatus = z.infer<typeof invitationStatus>

export const createWorkspaceRequest = z.object({ name: plainText(120).describe('Name that members see') })

export const workspace = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES).describe("The signed-in user's role"),
  permissions: z.array(z.enum(PERMISSIONS)),
  requireTwoFactor: z.boolean().describe('Whether payouts, rewards and payout details need two-factor sign-in'),
  createdAt: timestamp,
})
export type Workspace = z.infer<typeof workspace>

export const workspaceSecurityRequest = z.object({
  requireTwoFactor: z
    .boolean('must be true or false')
    .describe('Whether payouts, rewards and payout details need two-factor sign-in'),
})

export const member = z.strictObject({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: timestamp,
})

export type Member = z.infer<typeof member>

export const membersQuery = pageQuery.extend({
  search: searchText.describe('Part of the name or email address'),
  role: z.enum(ROLES).optional().describe('Only members with this role'),
  sort: sortedBy(['createdAt', 'name', 'role'], 'createdAt'),
})
export type MembersQuery = z.infer<typeof membersQuery>

export const changeMemberRequest = z.object({ role: z.enum(ROLES).describe('The new role') })

export const createInvitationRequest = z.object({
  email: z.email('must be an email address').max(254).toLowerCase().describe('Who is invited'),
  role: invitableRole.default('member').describe('Role in the workspace'),
})

export type CreateInvitation = z.infer<typeof createInvitationRequest>

export const invitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: invitableRole,
  status: invitationStatus,
  url: z.string().describe('The invitation link to share'),
  expiresAt: timestamp,
})

export type Invitation = z.infer<typeof invitation>

export const newInvitation = invitation.extend({ mailed: mailedFlag })

export const invitationsQuery = pageQuery.extend({ sort: sortedBy(['createdAt', 'email', 'expiresAt'], '-createdAt') })
export type InvitationsQuery = z.infer<typeof invitationsQuery>

/** What an invitation link shows before its recipient signs in. */
export const openInvitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: invitableRole,
  workspaceName: z.string(),
  expiresAt: timestamp,
})
export type OpenInvitation = z.infer<typeof openInvitation>
