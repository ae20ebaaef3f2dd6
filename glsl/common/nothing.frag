// No fragments: the fragment stage of captures, which ES requires.
void main() {
}
