import { createRoute, redirect } from '@tanstack/react-router'
import { hasSettingsRail } from '../has-settings-rail.ts'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { program } from './program.tsx'

/** Renders the list of sections beside each settings screen. */
const settings = createRoute({
  getParentRoute: () => program,
  path: '/settings',
  component: lazyScreen(() => import('~/pages/settings/settings-frame.tsx'), 'SettingsFrame'),
})

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  // A phone shows the list of sections, a wide window has it beside every section.
  beforeLoad: ({ params }) => {
    if (hasSettingsRail()) throw redirect({ to: '/programs/$programId/settings/details', params, replace: true })
  },
  component: lazyScreen(() => import('~/pages/settings/settings-home.tsx'), 'SettingsHome'),
})

const details = createRoute({
  getParentRoute: () => settings,
  path: '/details',
  component: lazyScreen(() => import('~/pages/settings/program/details.tsx'), 'DetailsSettings'),
})

const tracking = createRoute({
  getParentRoute: () => settings,
  path: '/tracking',
  component: lazyScreen(() => import('~/pages/settings/program/tracking.tsx'), 'TrackingSettings'),
})

const rewards = createRoute({
  getParentRoute: () => settings,
  path: '/rewards',
  validateSearch: listSearch(),
  component: lazyScreen(() => import('~/pages/settings/rewards/rewards.tsx'), 'Rewards'),
})

const branding = createRoute({
  getParentRoute: () => settings,
  path: '/branding',
  component: lazyScreen(() => import('~/pages/settings/branding/branding.tsx'), 'BrandingSettings'),
})

const applications = createRoute({
  getParentRoute: () => settings,
  path: '/applications',
  component: lazyScreen(() => import('~/pages/settings/applications/applications.tsx'), 'ApplicationSettings'),
})

const agreement = createRoute({
  getParentRoute: () => settings,
  path: '/agreement',
  component: lazyScreen(() => import('~/pages/settings/agreement.tsx'), 'AgreementSettings'),
})

const legalDetails = createRoute({
  getParentRoute: () => settings,
  path: '/legal-details',
  component: lazyScreen(() => import('~/pages/settings/legal-details.tsx'), 'LegalDetails'),
})

const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyScreen(() => import('~/pages/settings/notifications/notifications.tsx'), 'NotificationSettings'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: listSearch(['state']),
  component: lazyScreen(() => import('~/pages/api-keys/api-keys.tsx'), 'ApiKeys'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  validateSearch: listSearch(['endpointId', 'state', 'type', 'delivery']),
  component: lazyScreen(() => import('~/pages/webhooks/webhooks.tsx'), 'Webhooks'),
})

const paymentProcessors = createRoute({
  getParentRoute: () => settings,
  path: '/payment-processors',
  component: lazyScreen(() => import('~/pages/processor/payment-processors.tsx'), 'PaymentProcessors'),
})

const eventsReceived = createRoute({
  getParentRoute: () => settings,
  path: '/events-received',
  validateSearch: listSearch(['fate', 'type', 'reason']),
  component: lazyScreen(() => import('~/pages/processor/events-received.tsx'), 'EventsReceived'),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  validateSearch: listSearch(['search', 'role', 'invitationsPage', 'invitationsSort']),
  component: lazyScreen(() => import('~/pages/settings/team/team.tsx'), 'Team'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyScreen(() => import('~/pages/settings/team/security.tsx'), 'SecuritySettings'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit-log',
  validateSearch: listSearch(['search', 'userId']),
  component: lazyScreen(() => import('~/pages/settings/audit-log.tsx'), 'AuditLog'),
})

const exports = createRoute({
  getParentRoute: () => settings,
  path: '/exports',
  validateSearch: listSearch(['dateFrom', 'dateTo', 'groupId']),
  component: lazyScreen(() => import('~/pages/settings/exports.tsx'), 'Exports'),
})

export const settingsScreens = settings.addChildren([
  settingsHome,
  details,
  tracking,
  rewards,
  branding,
  applications,
  agreement,
  legalDetails,
  notifications,
  apiKeys,
  webhooks,
  paymentProcessors,
  eventsReceived,
  team,
  security,
  audit,
  exports,
])
