// No fragments: the fragment stage of captures, which ES asks for.
void main() {
}
