/**
 * An edit of a page. Lines count from 1, both ends included, as they were shown. A section is named by its heading.
 * `old` must stand exactly once in the page, or in the named section.
 */
export type PageEdit =
  | { readonly tool: 'append'; readonly text: string; readonly section?: string | undefined }
  | { readonly tool: 'replace_lines'; readonly from: number; readonly to: number; readonly text: string }
  | { readonly tool: 'delete_lines'; readonly from: number; readonly to: number }
  | { readonly tool: 'replace_section'; readonly section: string; readonly text: string }
  | { readonly tool: 'replace_text'; readonly old: string; readonly text: string; readonly section?: string | undefined }
