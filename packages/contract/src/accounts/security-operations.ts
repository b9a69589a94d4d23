import { operations } from '../openapi/declaration.ts'
import { workspace, workspaceSecurityRequest } from './workspaces.ts'

export const WORKSPACE_SECURITY = operations({
  change: {
    method: 'put',
    path: '/api/workspaces/{workspaceId}/security',
    summary: 'Update security settings',
    description:
      'Requires two-factor sign-in for everything that needs `payout:manage`, and for partners who change their payout details. Only owners who signed in with a second factor themselves can change it.',
    request: workspaceSecurityRequest,
    answer: workspace,
    errors: ['two_factor_required'],
  },
})
