import { Download } from 'lucide-react'
import { buttonClass } from '../controls/button.tsx'

/** The whole list as a file, which the browser fetches by itself. */
export const DownloadLink = ({ href, label = 'Export CSV' }: { href: string; label?: string }) => (
  <a href={href} download className={buttonClass()}>
    <Download aria-hidden /> {label}
  </a>
)

/** Gives a file that was fetched by the page to the browser to keep. */
export const saveFile = (file: Blob, name: string) => {
  const href = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
