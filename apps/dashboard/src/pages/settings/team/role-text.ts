import type { Role } from '@tributary/contract'

/** Short summaries; the service defines the actual permissions. */
export const ROLE_TEXT: Record<Role, { label: string; summary: string }> = {
  owner: { label: 'Owner', summary: 'Full access' },
  admin: { label: 'Admin', summary: 'Full access, including API keys, payouts and team' },
  member: { label: 'Member', summary: 'Manages partners, links and settings; views payouts' },
  viewer: { label: 'Viewer', summary: 'View only' },
  billing: { label: 'Billing', summary: 'Commissions and payouts only' },
}

export const INVITABLE = ['admin', 'member', 'viewer', 'billing'] as const
