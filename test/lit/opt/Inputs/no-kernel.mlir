tt.func private @helper() {
  tt.return
}
