import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { optionalPageQuery, searchText } from '../lists.ts'

/** The lists of the dashboard that have saved views. */
export const VIEW_LISTS = ['partners', 'customers', 'sales', 'commissions', 'links', 'payouts'] as const
export type ViewList = (typeof VIEW_LISTS)[number]

const MAX_FILTERS = 20
const MAX_COLUMNS = 40

const filterName = z.string().regex(/^[A-Za-z]{1,40}$/, 'must be the name of a parameter')

const viewFields = {
  list: z.enum(VIEW_LISTS).describe('The list it belongs to'),
  name: plainText(60).describe('Name of the view'),
  shared: z.boolean('must be true or false').describe('Whether everyone in the workspace sees it'),
  search: z
    .record(filterName, plainText(255))
    .refine((search) => Object.keys(search).length <= MAX_FILTERS, `must have at most ${MAX_FILTERS} entries`)
    .describe("The list's filters and sort order, as in the dashboard's address"),
  columns: z
    .array(plainText(60))
    .max(MAX_COLUMNS, `must have at most ${MAX_COLUMNS} columns`)
    .nullable()
    .describe('The columns shown; null for the usual ones'),
}

export const createViewRequest = z.object({
  ...viewFields,
  shared: viewFields.shared.default(false),
  columns: viewFields.columns.default(null),
})
export type CreateView = z.infer<typeof createViewRequest>

/** The list stays: its filters and columns mean nothing in another one. */
export const changeViewRequest = z
  .object(viewFields)
  .omit({ list: true })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must have at least one of name, shared, search or columns')
export type ChangeView = z.infer<typeof changeViewRequest>

export const viewsQuery = optionalPageQuery.extend({ list: viewFields.list.optional() })

export const savedView = z.strictObject({
  id: z.int(),
  ...viewFields,
  own: z.boolean().describe('Whether you made it'),
  createdAt: timestamp,
})
export type SavedView = z.infer<typeof savedView>

export const programSearchQuery = optionalPageQuery.extend({
  q: searchText.unwrap().describe('At least one character: part of a name, or the beginning of an identifier'),
})

export const FOUND_KINDS = ['partner', 'customer', 'sale', 'link', 'code'] as const

export const foundRow = z.strictObject({
  kind: z.enum(FOUND_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string().nullable().describe('What tells it apart, such as an email address or an amount'),
})
export type FoundRow = z.infer<typeof foundRow>
