import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { program } from './program.tsx'

/** The tabs of the place, above each of its lists. */
const salesPlace = createRoute({
  getParentRoute: () => program,
  id: 'sales-place',
  component: lazyScreen(() => import('../shell/place-tabs.tsx'), 'PlaceTabs'),
})

const sales = createRoute({
  getParentRoute: () => salesPlace,
  path: '/sales',
  validateSearch: listSearch(['state', 'creditedBy', 'codeId', 'partnerId', 'dateFrom', 'dateTo', 'search']),
  component: lazyScreen(() => import('~/pages/sales/sales.tsx'), 'Sales'),
})

const customers = createRoute({
  getParentRoute: () => salesPlace,
  path: '/sales/customers',
  validateSearch: listSearch(['status', 'partnerId', 'search']),
  component: lazyScreen(() => import('~/pages/customers/customers.tsx'), 'Customers'),
})

const events = createRoute({
  getParentRoute: () => salesPlace,
  path: '/sales/events',
  validateSearch: listSearch(['eventType', 'dateFrom', 'dateTo', 'partnerId', 'linkId', 'country', 'test', 'search']),
  component: lazyScreen(() => import('~/pages/events/events.tsx'), 'Events'),
})

const why = createRoute({
  getParentRoute: () => salesPlace,
  path: '/sales/check-attribution',
  validateSearch: listSearch(['name']),
  component: lazyScreen(() => import('~/pages/why/why.tsx'), 'Why'),
})

const sale = createRoute({
  getParentRoute: () => program,
  path: '/sales/$saleId',
  validateSearch: listSearch(['back']),
  component: lazyScreen(() => import('~/pages/sales/sale.tsx'), 'Sale'),
})

const customer = createRoute({
  getParentRoute: () => program,
  path: '/sales/customers/$customerId',
  validateSearch: listSearch(['back']),
  component: lazyScreen(() => import('~/pages/customers/customer.tsx'), 'Customer'),
})

const lead = createRoute({
  getParentRoute: () => program,
  path: '/sales/leads/$leadId',
  validateSearch: listSearch(['back']),
  component: lazyScreen(() => import('~/pages/explain/lead.tsx'), 'Lead'),
})

export const salesScreens = [salesPlace.addChildren([sales, customers, events, why]), sale, customer, lead] as const
