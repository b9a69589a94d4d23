import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../lazy-screen.ts'
import { root } from './signed-in.tsx'

const readNext = (search: Record<string, unknown>): { next?: string } =>
  typeof search.next === 'string' && search.next.startsWith('/') && !search.next.startsWith('//')
    ? { next: search.next }
    : {}

/** `step` and `problem` come from the return of the identity provider. */
const readSignIn = (search: Record<string, unknown>): { next?: string; step?: 'code'; problem?: string } => ({
  ...readNext(search),
  ...(search.step === 'code' && { step: 'code' }),
  ...(typeof search.problem === 'string' && { problem: search.problem }),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignIn,
  component: lazyScreen(() => import('~/pages/sign-in/sign-in.tsx'), 'SignIn'),
})

const signInLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/link',
  validateSearch: (search): { token?: string } => (search.token === undefined ? {} : { token: String(search.token) }),
  component: lazyScreen(() => import('~/pages/sign-in/sign-in-link.tsx'), 'SignInLink'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: (search): { setup?: string } => (search.setup === undefined ? {} : { setup: String(search.setup) }),
  component: lazyScreen(() => import('~/pages/sign-in/sign-up.tsx'), 'SignUp'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyScreen(() => import('~/pages/sign-in/forgot-password.tsx'), 'ForgotPassword'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: (search): { token?: string } => (search.token === undefined ? {} : { token: String(search.token) }),
  component: lazyScreen(() => import('~/pages/sign-in/reset-password.tsx'), 'ResetPassword'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invite/$invitationId',
  component: lazyScreen(() => import('~/pages/sign-in/invitation.tsx'), 'Invitation'),
})

const partnerInvitation = createRoute({
  getParentRoute: () => root,
  path: '/portal/invite/$invitationId',
  component: lazyScreen(() => import('~/pages/portal/join/invitation.tsx'), 'PartnerInvitationPage'),
})

const application = createRoute({
  getParentRoute: () => root,
  path: '/apply/$programId',
  component: lazyScreen(() => import('~/pages/portal/join/application.tsx'), 'Application'),
})

const confirmApplication = createRoute({
  getParentRoute: () => root,
  path: '/apply/confirm/$token',
  component: lazyScreen(() => import('~/pages/portal/join/confirm-application.tsx'), 'ConfirmApplication'),
})

/** Screens that need no session. */
export const publicScreens = [
  signIn,
  signInLink,
  signUp,
  forgotPassword,
  resetPassword,
  invitation,
  partnerInvitation,
  application,
  confirmApplication,
] as const
