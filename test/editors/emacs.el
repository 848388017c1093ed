;; Emacs with eglot, in batch mode, against the real server, set up as the guide says. From the root of the project, the
;; program in $KERNELSCOPE: emacs -q --batch -l test/editors/emacs.el; 77 where eglot is not installed.

(unless (require 'eglot nil t)
  (message "skipped: this Emacs has no eglot (Debian: elpa-eglot)")
  (kill-emacs 77))
(require 'flymake)

(defvar demo (expand-file-name "docs/demo/"))
;; What the guide says, from its own text.
(with-temp-buffer
  (insert-file-contents "docs/guide.md")
  (search-forward "(define-derived-mode triton-ir-mode")
  (goto-char (match-beginning 0))
  (let ((end (save-excursion (search-forward "**") (line-beginning-position))))
    (narrow-to-region (point) end)
    (condition-case nil
        (while t (eval (read (current-buffer)) t))
      (end-of-file nil))))
(let ((program (getenv "KERNELSCOPE")))
  (setf (alist-get 'triton-ir-mode eglot-server-programs) (list program "lsp")))

(setq create-lockfiles nil) ; docs/demo stays as it is
(defvar failures 0)
(defun expect (what condition)
  "Waits until CONDITION, a function, gives something."
  (let ((end (+ (float-time) 20)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.1))
    (unless found
      (setq failures (1+ failures))
      (message "emacs: not seen: %s" what))
    found))

(find-file (concat demo "broken.ttgir"))
(expect "the mode" (lambda () (eq major-mode 'triton-ir-mode)))
(setq eglot-sync-connect t)
;; The hook's `eglot-ensure' waits for a command to end, and there are none in batch mode.
(expect "eglot in the mode's hook" (lambda () (memq 'eglot-ensure triton-ir-mode-hook)))
(apply #'eglot (eglot--guess-contact))
(expect "two errors, on the lines of the broken ops"
        (lambda ()
          (let ((lines (mapcar (lambda (d) (line-number-at-pos (flymake-diagnostic-beg d))) (flymake-diagnostics))))
            (and (= (length lines) 2)
                 (member (progn (goto-char (point-min)) (search-forward "end = 1000") (line-number-at-pos)) lines)
                 (member (progn (goto-char (point-min)) (search-forward "tt.splatt") (line-number-at-pos)) lines)))))

(find-file (concat demo "softmax.ttgir"))
(eglot--maybe-activate-editing-mode)
(expect "the server in the second file" (lambda () (eglot-managed-p)))
(goto-char (point-min))
(search-forward "tt.loa")
(expect "the hover of tt.load"
        (lambda ()
          (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                        (eglot--TextDocumentPositionParams))))
            (string-match-p "tt.load" (format "%S" hover)))))
(goto-char (point-min))
(search-forward "tt.load %")
(let ((definitions (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
  (expect "the definition of its pointer" (lambda () (= (length definitions) 1))))
(let ((references (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))))
  (expect "the references of its pointer" (lambda () (= (length references) 2))))

;; An op is typed: completion at the cursor offers it.
(goto-char (point-min))
(search-forward "%row = tt.get_program_id")
(forward-line 1)
(open-line 1)
(insert "    tt.get_num_prog")
(eglot--signal-textDocument/didChange)
(expect "the completion of tt.get_num_programs"
        (lambda ()
          (let ((found (eglot-completion-at-point)))
            (and found
                 (seq-some (lambda (label) (string-match-p "tt.get_num_programs" label))
                           (all-completions "" (nth 2 found)))))))
(set-buffer-modified-p nil)

;; The fix that an error offers.
(find-file (concat demo "broken.ttgir"))
(goto-char (point-min))
(search-forward "tt.splatt")
(let* ((place (eglot--pos-to-lsp-position))
       (diagnostics (mapcan (lambda (d) (when-let ((lsp (alist-get 'eglot-lsp-diag (eglot--diag-data d)))) (list lsp)))
                            (flymake-diagnostics (line-beginning-position) (line-end-position))))
       (actions (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
                                 (list :textDocument (eglot--TextDocumentIdentifier)
                                       :range (list :start place :end place)
                                       :context (list :diagnostics (vconcat diagnostics)))))
       (fix (seq-find (lambda (action) (equal (plist-get action :title) "Change to 'tt.splat'")) actions)))
  (expect "the fix of tt.splatt" (lambda () fix))
  (eglot--apply-workspace-edit (plist-get fix :edit))
  (expect "the op by its right name"
          (lambda () (goto-char (point-min)) (not (search-forward "tt.splatt" nil t)))))
(set-buffer-modified-p nil)
(kill-emacs (if (> failures 0) 1 0))
