import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Sorting } from '~/components/lists/data-table.tsx'

export type ListSearch = { page?: number | undefined; sort?: string | undefined }

/** Drops unknown search parameters. The service validates the values. */
export const listSearch =
  <Name extends string = never>(names: readonly Name[] = []) =>
  (search: Record<string, unknown>): ListSearch & { [name in Name]?: string | undefined } => {
    const page = Number(search.page)
    const kept = [...names, 'sort'].map((name) => [name, search[name] ? String(search[name]) : undefined])
    return { ...Object.fromEntries(kept), page: Number.isInteger(page) && page > 1 ? page : undefined }
  }

/** Keeps a list's state in the URL, so it can be shared and Back works. */
export const useListSearch = <Search extends ListSearch>() => {
  const addressed: unknown = useSearch({ strict: false })
  const search = addressed as Search
  const navigate = useNavigate()
  const go = (next: Search, { replace = false } = {}) => void navigate({ to: '.', search: next as never, replace })
  /** A new filter or sort order starts at the first page. While a search is typed, it has one history entry. */
  const setFilter = (change: Partial<Search> & { search?: string | undefined }) => {
    const before = search as { search?: string | undefined }
    const replace = Boolean(before.search && change.search)
    go({ ...search, ...change, page: undefined }, { replace })
  }
  return {
    search,
    setPage: (page: number) => go({ ...search, page: page > 1 ? page : undefined }),
    setFilter,
    /** `first` is the service's default order. */
    sortingFrom: (first: string): Sorting => ({
      sort: search.sort ?? first,
      onSort: (sort) => setFilter({ sort } as Partial<Search>),
    }),
    clear: () => go({} as Search),
    /** Filters and sort order of a saved view. */
    applyView: (saved: Record<string, string>) => go(saved as unknown as Search),
  }
}
