import type { Permission } from '@tributary/contract'
import { CREATE } from '~/app/create-dialog.ts'
import type { StepName, Steps } from '../set-up/step-card.tsx'

type Target = 'settings/details' | 'settings/rewards' | 'set-up' | 'partners' | 'partners/applications' | 'links'

/** Opens the form that completes a step: a dialog, or a page with the field focused. */
export type ChecklistAction = {
  label: string
  to: Target
  permission: Permission
  hash?: string
  state?: typeof CREATE
}

export const summariesFor = ({ payments }: Steps): Record<StepName, string> => ({
  website: 'The site partners send visitors to.',
  reward: 'What partners earn for leads and sales.',
  script: 'Done when a click arrives from your website.',
  signUps: 'Done when your server sends a lead.',
  payments: payments.mode === 's2s' ? 'Done when your server sends a sale.' : 'Done when a sale arrives from Stripe.',
  partner: 'A person or company that refers customers to you.',
  link: 'Create a link and send it to your partner.',
})

const addPartner: ChecklistAction = {
  label: 'Add partner',
  to: 'partners',
  permission: 'partner:manage',
  state: CREATE,
}
const reviewPartners: ChecklistAction = {
  label: 'Review applications',
  to: 'partners/applications',
  permission: 'partner:manage',
}
const createLink: ChecklistAction = { label: 'Create link', to: 'links', permission: 'partner:manage', state: CREATE }

/** Null while another step has to come first. */
export const actionsFor = ({ partner, payments }: Steps): Record<StepName, ChecklistAction | null> => ({
  website: { label: 'Add website', to: 'settings/details', hash: 'websites', permission: 'program:update' },
  reward: { label: 'Set reward', to: 'settings/rewards', hash: 'reward', permission: 'payout:manage' },
  script: { label: 'Get script', to: 'set-up', hash: 'script', permission: 'tracking:read' },
  signUps: { label: 'Send lead', to: 'set-up', hash: 'signUps', permission: 'tracking:read' },
  payments: {
    label: payments.mode === 's2s' ? 'Send sale' : 'Connect Stripe',
    to: 'set-up',
    hash: 'payments',
    permission: 'tracking:read',
  },
  partner: partner.total === 0 ? addPartner : reviewPartners,
  link: partner.done ? createLink : null,
})
