import { Download } from 'lucide-react'
import { buttonClass } from '../controls/button.tsx'

/** The browser downloads every row that the list has, not only this page. */
export const DownloadLink = ({ href, label = 'Export CSV' }: { href: string; label?: string }) => (
  <a href={href} download className={buttonClass()}>
    <Download aria-hidden /> {label}
  </a>
)

/** Saves a file that the page has fetched. */
export const saveFile = (file: Blob, name: string) => {
  const href = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
